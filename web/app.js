// Starts the page and follows the address: /?q= asks, /search looks, /embed is the box for other pages.

import { leave, restore, run } from "./ask.js";
import { byId, el, theirs } from "./dom.js";
import * as history from "./history.js";
import { icon } from "./icons.js";
import { wireTheme } from "./looks.js";
import { outcome } from "./problems.js";
import { FILTERS, search } from "./search.js";
import { ready as signInReady } from "./signin.js";
import { ready as sourceReady } from "./source.js";
import { watch } from "./state.js";
import { call } from "./stream.js";
import { choose, fill, language, number, say } from "./words.js";

const MOST = 500; // characters of a question
const embedded = location.pathname === "/embed";
const root = document.documentElement;
let shown = false;

start();

function start() {
  const asked = new URLSearchParams(location.search).get("lang");
  choose([...(asked ? [asked] : []), ...navigator.languages]);
  fill(document);
  byId("send").replaceChildren(icon("send"));
  byId("search-go").prepend(icon("search"));
  wireQuestion();
  wireSearch();
  wireTheme();
  sourceReady();
  signInReady();
  addEventListener("popstate", show);
  document.addEventListener("click", followed);
  if (embedded) tellHeight();
  watch(examples);
  show();
}

/** Shows what the address says. */
function show() {
  const wanted = new URLSearchParams(location.search);
  const searches = location.pathname === "/search";
  byId("ask-view").hidden = searches;
  byId("search-view").hidden = !searches;
  for (const [id, on] of [["tab-ask", !searches], ["tab-search", searches]]) {
    if (on) byId(id).setAttribute("aria-current", "page");
    else byId(id).removeAttribute("aria-current");
  }
  leave();
  if (searches) showSearch(wanted);
  else showQuestion(wanted.get("q")?.trim().slice(0, MOST) ?? "");
}

function showSearch(wanted) {
  document.title = `${say("tab_search")} – ${say("title")}`;
  byId("search-text").value = wanted.get("q") ?? "";
  for (const name of FILTERS) byId(`search-${name}`).value = wanted.get(name) ?? "";
  byId("search-text").focus();
  search(searchFields());
}

function showQuestion(question) {
  const field = byId("question");
  if (question || shown) field.value = question; // what was typed before the page was ready stays
  shown = true;
  grow();
  root.classList.toggle("answering", Boolean(question));
  byId("start").hidden = Boolean(question);
  byId("result").replaceChildren();
  byId("anew").hidden = true;
  document.title = question ? `${question} – ${say("title")}` : say("title");
  showHistory();
  if (!embedded) field.focus();
  if (!question) return;
  const { id: earlier, before = [] } = window.history.state ?? {};
  const known = earlier && history.find(earlier);
  byId("anew").hidden = !before.length;
  if (known && known.question === question) {
    restore(known);
    return;
  }
  const id = crypto.getRandomValues(new Uint32Array(2)).join("-");
  window.history.replaceState({ id, before }, "");
  run(question, id, before).then(showHistory);
}

/** Goes to an address of this page without loading it anew. */
function go(address, state = {}) {
  window.history.pushState(state, "", address);
  show();
  scrollTo(0, 0);
}

function followed(event) {
  const link = event.target instanceof Element ? event.target.closest("a[data-here]") : null;
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(link.getAttribute("href"));
}

function wireQuestion() {
  const form = byId("ask-form");
  const field = byId("question");
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const question = field.value.trim();
    const { id, before = [] } = window.history.state ?? {};
    const goesOn = id && history.find(id) ? [...before, id] : before;
    asks(question, question ? { before: goesOn } : {}); // a blank one leads back to the start
  });
  byId("anew-go").addEventListener("click", () => asks(""));
  field.addEventListener("input", grow);
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
}

function asks(question, state) {
  const address = new URL(location.href);
  address.pathname = embedded ? "/embed" : "/";
  for (const name of [...address.searchParams.keys()]) if (!["lang", "theme"].includes(name)) address.searchParams.delete(name);
  if (question) address.searchParams.set("q", question);
  go(address, state);
}

/** The field as high as its text, and how much room is left when that is little. */
function grow() {
  const field = byId("question");
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
  const left = MOST - field.value.length;
  byId("left").textContent = left <= 80 ? say("left", { n: number(left, 0) }) : "";
}

function wireSearch() {
  byId("search-form").addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = searchFields();
    const parts = new URLSearchParams({ q: wanted.text });
    for (const name of FILTERS) if (wanted[name]) parts.set(name, wanted[name]);
    go(`/search?${parts}`);
  });
}

function searchFields() {
  const wanted = { text: byId("search-text").value.trim() };
  for (const name of FILTERS) wanted[name] = byId(`search-${name}`).value.trim();
  return wanted;
}

async function examples() {
  const told = await call(`/examples?lang=${language()}`).catch(() => ({ examples: [], topics: [] }));
  const shown = told.examples.length ? told.examples : told.topics;
  if (!shown.length) return;
  byId("examples").replaceChildren(el("h2", {}, say(told.examples.length ? "examples" : "topics")), el("ul", {}, shown.map(({ text, lang }) =>
    el("li", {}, theirs("button", text, { type: "button", class: "example", lang, on: { click: () => asks(text) } })))));
}

function showHistory() {
  const place = byId("history");
  const entries = history.past();
  if (!entries.length || embedded) return place.replaceChildren();
  const clear = el("button", { type: "button", class: "link", on: { click: () => {
    history.clear();
    place.replaceChildren(el("p", { class: "quiet", role: "status" }, say("history_cleared")));
    byId("question").focus();
  } } }, say("history_clear"));
  const word = (answer) => outcome(answer) || "answered_mostly";
  const drawn = (answer) => icon({ conflict: "disagree", not_found: "empty", answered_mostly: "proved" }[word(answer)] ?? "warning");
  return place.replaceChildren(el("div", { class: "row" }, el("h2", {}, say("history")), clear), el("ul", {}, entries.slice(0, 8).map(({ id, question, answer }) =>
    el("li", {}, el("button", { type: "button", class: "past", title: answer.asked || null, on: { click: () => asks(question, { id }) } }, drawn(answer), el("span", { class: "unseen" }, say(word(answer)), ": "), theirs("span", question))))));
}

/** Tells the page around the frame how high this one is. */
function tellHeight() {
  const tell = () => parent.postMessage({ companyBrainHeight: byId("page").getBoundingClientRect().height }, "*");
  new ResizeObserver(tell).observe(byId("page"));
  tell();
}
