// Before the first paint: the light or dark that a person chose here, else the system's.
(() => {
  let chosen = new URLSearchParams(location.search).get("theme");
  try {
    chosen = chosen || localStorage.getItem("brain.theme");
  } catch {
    // storage is closed to this page: the system decides
  }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  if (location.pathname === "/embed") document.documentElement.classList.add("embed");
})();
