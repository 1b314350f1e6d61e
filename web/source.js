// A document beside the answer, open at the cited lines, with the words that support the claims marked.

import { announce, byId, el, theirs } from "./dom.js";
import { icon } from "./icons.js";
import { call } from "./stream.js";
import { datedText, placeOf, placeText, say } from "./words.js";

const AROUND = 12; // lines shown before and after the cited ones
const STEP = 60; // lines that come with each press of earlier or later
let turn = 0; // a slower reply of an earlier opening is not shown

/** Opens `{source, title, lines, heading, dated, modified, stale, also, link, quote, n}`; `evidence` are spans to mark. */
export async function open(passage, evidence) {
  const panel = byId("source");
  turn += 1;
  const mine = turn;
  const text = el("div", { class: "doc", tabindex: 0, role: "group", "aria-label": say("source_text") }, el("p", { class: "quiet" }, say("source_loading")));
  panel.replaceChildren(head(passage), text);
  shown(panel);
  const [first, last] = linesOf(passage);
  let view;
  try {
    view = await lines(passage.source, Math.max(1, first - AROUND), last + AROUND);
  } catch {
    if (mine === turn) text.replaceChildren(el("p", { class: "quiet" }, say("source_failed")), theirs("p", passage.quote ?? passage.text ?? "", { class: "quoted" }));
    return;
  }
  if (mine !== turn) return;
  text.replaceChildren(...laid(view, { passage, evidence, first, last }));
  announce(`${passage.title ?? passage.source}. ${placeOf(passage)}`);
  const wanted = text.querySelector("mark:not(.above)") ?? text.querySelector("mark") ?? text.querySelector(".cited");
  if (wanted) text.scrollTop = wanted.offsetTop - text.clientHeight / 3;
}

/** Closes it; the browser puts the focus back to where it was opened from. */
export function close() {
  const panel = byId("source");
  if (!panel.open) return false;
  turn += 1;
  panel.close();
  document.documentElement.classList.remove("with-source");
  return true;
}

/** Wires Escape; called once. */
export function ready() {
  const panel = byId("source");
  panel.addEventListener("cancel", (event) => {
    event.preventDefault();
    close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && close()) event.preventDefault();
  });
}

function shown(panel) {
  const narrow = matchMedia("(max-width: 60rem)").matches && !document.documentElement.classList.contains("embed");
  if (!panel.open && narrow) panel.showModal();
  else if (!panel.open) panel.show();
  document.documentElement.classList.add("with-source");
  byId("source-close").focus();
}

function head(passage) {
  const facts = [
    passage.heading && passage.heading !== passage.title ? theirs("p", passage.heading.replaceAll(" > ", " › "), { class: "path" }) : null,
    el("p", { class: "quiet" }, placeOf(passage)),
    datedText(passage) ? el("p", { class: "quiet" }, datedText(passage)) : null,
    passage.stale ? staleBadge(passage.stale) : null,
    passage.also?.length ? el("p", { class: "quiet" }, say("also_in", { places: passage.also.join(", ") })) : null,
    original(passage.link),
  ];
  return el("header", {},
    el("button", { type: "button", id: "source-close", class: "round", "aria-label": say("source_close"), title: `${say("source_close")} (Esc)`, on: { click: close } }, icon("close")),
    theirs("h2", passage.title ?? passage.source, { id: "source-title" }), facts);
}

export function staleBadge(stale) {
  return el("p", { class: "badge warn" }, icon("warning"), say(`stale_${stale}`));
}

/** A link that the document itself names; only to where a browser runs nothing. */
function original(link) {
  if (!link || !/^(?:https?:\/\/|mailto:)/i.test(link)) return null;
  return el("p", {}, el("a", { href: link, target: "_blank", rel: "noopener noreferrer" }, say("original")));
}

export function linesOf(passage) {
  const found = /^L?(\d+)(?:-(\d+))?$/.exec(passage.lines ?? "");
  return found ? [Number(found[1]), Number(found[2] ?? found[1])] : [1, 1];
}

const lines = (path, first, last) =>
  call(`/documents/${path.split("/").map(encodeURIComponent).join("/")}?lines=${first}-${last}`);

function laid(view, wanted) {
  const body = el("div", { class: "lines" }, drawn(view, wanted));
  const nodes = [body];
  if (view.first_line > 1) nodes.unshift(more("earlier", view.first_line, async (button) => {
    const first = Math.max(1, Number(button.dataset.line) - STEP);
    const got = await lines(view.path, first, Number(button.dataset.line) - 1);
    const pane = body.parentElement;
    const before = pane.scrollHeight;
    body.prepend(...drawn(got, wanted));
    oncePerPlace(body);
    button.dataset.line = first;
    if (first === 1) button.remove();
    pane.scrollTop += pane.scrollHeight - before;
  }));
  if (view.last_line < view.total_lines) nodes.push(more("later", view.last_line, async (button) => {
    const got = await lines(view.path, Number(button.dataset.line) + 1, Number(button.dataset.line) + STEP);
    body.append(...drawn(got, wanted));
    oncePerPlace(body);
    button.dataset.line = got.last_line;
    if (got.last_line >= got.total_lines) button.remove();
  }));
  return nodes;
}

function more(key, line, work) {
  const button = el("button", { type: "button", class: "more", data: { line }, on: { click: () => work(button).catch(() => button.remove()) } }, say(key));
  return button;
}

/** A mark for a place stands once, above its first line. */
function oncePerPlace(body) {
  let before = null;
  for (const mark of body.querySelectorAll(".place")) {
    if (mark.dataset.place === before) mark.remove();
    before = mark.dataset.place;
  }
}

/** A row a line, those of the passage told apart, the supporting words marked; where places count, they head theirs. */
function drawn(view, { evidence, first, last }) {
  const texts = view.text.split("\n");
  const marked = spans(view, texts, evidence);
  let at = 0;
  let before = null;
  return texts.flatMap((text, nth) => {
    const line = view.first_line + nth;
    const place = view.places[nth];
    const begins = place && place !== before;
    before = place || before;
    const here = marked.map(([from, to, above]) => [Math.max(0, from - at), Math.min(text.length, to - at), above]).filter(([from, to]) => from < to);
    at += text.length + 1;
    const cited = line >= first && line <= last;
    const look = /^\s{0,3}#{1,6}\s/.test(text) ? " title" : /^\s*\||^ {4}|^\t/.test(text) ? " fixed" : "";
    const row = el("div", { class: `line${cited ? " cited" : ""}${look}` },
      view.places.length ? null : el("span", { class: "no", "aria-hidden": "true", data: { n: line } }), el("span", { class: "words", dir: "auto" }, pieces(text, here)));
    return begins ? [el("p", { class: "place", data: { place } }, placeText(place)), row] : [row];
  });
}

/** Places [from, to) of the evidence in the view's text, in order and without overlaps; the third says what only heads it. */
function spans(view, texts, evidence) {
  const starts = [];
  let total = 0;
  for (const text of texts) {
    starts.push(total);
    total += text.length + 1;
  }
  const found = [];
  for (const { quote, first_line: first, last_line: last, above } of evidence) {
    if (last < view.first_line || first > view.last_line) continue;
    const start = starts[Math.max(0, first - view.first_line)] ?? 0;
    let at = view.text.indexOf(quote, start);
    if (at < 0) at = view.text.indexOf(quote);
    if (at >= 0) found.push([at, at + quote.length, above]);
    else found.push([start, (starts[last - view.first_line + 1] ?? total) - 1, above]);
  }
  found.sort((one, other) => one[0] - other[0]);
  return found.reduce((merged, [from, to, above]) => {
    const before = merged[merged.length - 1];
    if (before && from <= before[1]) before.splice(1, 2, Math.max(before[1], to), before[2] && above);
    else merged.push([from, to, above]);
    return merged;
  }, []);
}

function pieces(text, ranges) {
  const nodes = [];
  let at = 0;
  for (const [from, to, above] of ranges) {
    nodes.push(text.slice(at, from), el("mark", above ? { class: "above" } : {}, text.slice(from, to)));
    at = to;
  }
  return [...nodes, text.slice(at) || (ranges.length ? "" : "\u200b")];
}
