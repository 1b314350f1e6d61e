// Puts the question box on a page of another origin: a frame of /embed, which is as high as what it shows.
//   <script src="https://brain.example/embed.js" data-lang="de"></script>
// The frame is a page of its own: this one can read neither its questions nor its answers, nor the frame this page.
(() => {
  const script = document.currentScript;
  const home = new URL(script.src).origin;
  const address = new URL("/embed", home);
  address.searchParams.set("origin", location.origin); // one that is not listed is told so in the frame
  for (const name of ["lang", "theme"]) {
    if (script.dataset[name]) address.searchParams.set(name, script.dataset[name]);
  }
  const frame = document.createElement("iframe");
  frame.src = address.href;
  frame.title = script.dataset.title || "Company Brain";
  frame.allow = "clipboard-write";
  frame.style.display = "block";
  frame.style.width = "100%";
  frame.style.height = "220px";
  frame.style.border = "0";
  frame.style.colorScheme = "normal";
  script.after(frame);
  addEventListener("message", (event) => {
    if (event.origin !== home || event.source !== frame.contentWindow) return;
    const height = Number(event.data && event.data.companyBrainHeight);
    if (height > 0) frame.style.height = `${Math.min(Math.ceil(height), 6000)}px`;
  });
})();
