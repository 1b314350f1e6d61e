// The state of the index: a word in the page's head, and behind it what is served and with which limit.

import { byId, el, theirs } from "./dom.js";
import { open } from "./links.js";
import { fetched } from "./signin.js";
import { dateAsText, number, say } from "./words.js";

const SOON = 3000;
const SELDOM = 60000; // milliseconds
let timer = 0;
let looked = false; // whoever closes the box for a token is asked again only by what they do themselves
let whenReady = null; // told once that questions are answered

/** Begins to watch; goes on while the page is open. `answers` is called once, when questions are answered. */
export function watch(answers) {
  whenReady = answers;
  const box = byId("state");
  box.addEventListener("toggle", () => box.open && look());
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !box.open) return;
    box.open = false;
    box.querySelector("summary").focus();
    event.stopPropagation();
  });
  document.addEventListener("click", (event) => {
    if (box.open && !box.contains(event.target)) box.open = false;
  });
  look();
}

async function look() {
  clearTimeout(timer);
  const told = await readiness();
  show(told);
  if (told?.answers && whenReady) {
    whenReady();
    whenReady = null;
  }
  timer = setTimeout(look, told && (told.ready || document.hidden) ? SELDOM : SOON);
}

async function readiness() {
  try {
    const reply = await fetched("/readyz", { cache: "no-store" }, looked);
    looked = true;
    return await reply.json(); // 503 tells as much as 200
  } catch {
    return null;
  }
}

function show(told) {
  const box = byId("state");
  const kind = !told ? "away" : told.ready ? "ready" : told.answers ? "busy" : "waiting";
  box.dataset.kind = kind;
  byId("state-word").textContent = word(told);
  open(told);
  byId("state-more").replaceChildren(...(told ? rows(told) : []));
}

function word(told) {
  if (!told) return say("state_away");
  if (told.code === "unauthenticated") return say("state_sign_in");
  if (told.ready) return told.documents === undefined ? say("state_answers") : say("state_ready", { n: number(told.documents, 0) });
  if (told.code === "syncing" && told.sync?.total) return say("state_syncing", told.sync);
  return ["opening", "syncing", "measuring", "loading"].includes(told.code) ? say("state_waiting") : say("state_trouble");
}

function rows(told) {
  const found = [];
  const add = (key, text) => text && found.push(el("dt", {}, say(key)), theirs("dd", text));
  if (!told.ready) found.push(theirs("dd", told.detail, { class: "wide" }));
  add("state_documents", told.documents && number(told.documents, 0));
  add("state_chunks", told.chunks && number(told.chunks, 0));
  add("state_synced", told.last_indexed && dateAsText(told.last_indexed));
  add("state_left_out", told.sync?.left_out && number(told.sync.left_out, 0));
  if (told.limit) {
    const limit = number(told.limit.min_score);
    add("state_limit", told.limit.fits ? say("state_fits", { limit }) : say("state_fits_not", { limit, why: told.limit.why }));
  }
  add("state_model", told.model?.replace(/[@-][0-9a-f]{8,}/g, ""));
  for (const text of [told.notice, told.warning]) if (text) found.push(theirs("dd", text, { class: "wide" }));
  return [el("dl", {}, found)];
}

