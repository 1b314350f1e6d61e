// The second tab: passages in order, the limit as a line between those above and below, and what each half gave.

import { announce, byId, el, svg, theirs } from "./dom.js";
import { icon } from "./icons.js";
import { close, open } from "./source.js";
import { call } from "./stream.js";
import { failure } from "./problems.js";
import { datedText, number, placeOf, say, WORDS } from "./words.js";

export const FILTERS = ["since", "until", "path"];
const DATES = ["since", "until"];
let turn = 0;

/** Searches for `{text, since, until, path}` and shows what is found; nothing for an empty text. */
export async function search(wanted) {
  close();
  turn += 1;
  const mine = turn;
  const place = byId("hits");
  for (const name of DATES) for (const told of ["aria-invalid", "aria-describedby"]) byId(`search-${name}`).removeAttribute(told);
  if (!wanted.text) return place.replaceChildren();
  place.setAttribute("aria-busy", "true");
  const body = { text: wanted.text, k: 12 };
  for (const name of FILTERS) if (wanted[name]) body[name] = wanted[name];
  try {
    const found = await call("/search", body);
    if (mine !== turn) return null;
    place.replaceChildren(...shown(found));
    announce(place.querySelector(".counted").textContent);
  } catch (error) {
    if (mine !== turn) return null;
    if (error.code === "invalid_request" && (wanted.since || wanted.until)) place.replaceChildren(badDate(wanted));
    else place.replaceChildren(failure(error, () => search(wanted)));
  }
  place.removeAttribute("aria-busy");
  return null;
}

/** What to do about a date that is none, or two in the wrong order; the fields say that they are meant. */
function badDate(wanted) {
  for (const name of DATES.filter((name) => wanted[name])) {
    byId(`search-${name}`).setAttribute("aria-invalid", "true");
    byId(`search-${name}`).setAttribute("aria-describedby", "bad-date");
  }
  byId(`search-${DATES.find((name) => wanted[name])}`).focus();
  return el("p", { class: "notice bad", role: "alert", id: "bad-date" }, icon("warning"), say("bad_date"));
}

function shown({ hits, limit }) {
  const above = hits.filter((hit) => hit.passed);
  const counted = el("p", { class: "counted quiet" }, hits.length ? say("hits", { n: number(hits.length, 0), above: number(above.length, 0) }) : say("hits_none"));
  if (!hits.length) return [counted];
  const under = hits.filter((hit) => !hit.passed);
  const rows = [...above, ...under].map((hit, place) => row(hit, place + 1, limit)); // counted as they stand
  const line = el("li", { class: "limit" }, el("span", {}, say("limit_line", { score: number(limit.min_score), coverage: number(limit.min_coverage) })), limit.fits ? null : theirs("span", limit.why, { class: "quiet" }));
  return [counted, el("ol", { class: "hits" }, rows.slice(0, above.length), line, rows.slice(above.length))];
}

function row(hit, rank, limit) {
  const passed = hit.passed ? say(`passed_${hit.passed_by}`) : say("passed_not");
  const button = el("button", { type: "button", class: "hit-open", title: say("open_here"), on: { click: () => open(hit, []) } },
    theirs("span", hit.heading.replaceAll(" > ", " › ") || hit.source, { class: "name" }));
  return el("li", { class: `hit${hit.passed ? "" : " under"}` },
    el("div", { class: "hit-head" }, el("span", { class: "rank" }, rank), el("h2", {}, button)),
    el("p", { class: "quiet" }, [placeOf(hit), datedText(hit)].filter(Boolean).join(" · ")),
    theirs("p", excerpt(hit.text), { class: "excerpt" }),
    el("div", { class: "figures" },
      el("span", { class: `badge ${hit.passed ? "good" : ""}` }, icon(hit.passed ? "yes" : "no"), passed),
      el("span", {}, hit.score === null ? say("score_none") : say("score", { n: number(hit.score) })), hit.score === null ? null : bar(hit.score, limit.min_score),
      el("span", {}, say("coverage", { n: number(hit.coverage) })),
      el("span", { class: "gave" }, `${say("gave")} ${Object.entries(hit.gave).map(([name, value]) => `${partName(name)} ${number(value)}`).join(" + ")}`)));
}

/** The part's name in the page's language where there is one, else as the server calls it. */
const partName = (name) => (Object.hasOwn(WORDS, `gave_${name}`) ? say(`gave_${name}`) : name);

/** The text without its Markdown headings, cut where it is long. */
function excerpt(text) {
  const lines = text.replace(/<!--[\s\S]*?-->/g, " ").split("\n").filter((line) => !/^\s{0,3}#{1,6}\s|^[\s|:=-]*$/.test(line));
  const body = lines.join(" ").replace(/\s*\|\s*/g, " · ").replace(/\*\*|__|`/g, "").replace(/\s+/g, " ").replace(/^(?: ·)+|· (?=·)/g, "").trim();
  return body.length > 260 ? `${body.slice(0, 257)}…` : body;
}

/** A score from 0 to 1 as a bar with the limit as a tick; the figure beside it says the same. */
function bar(score, limit) {
  const wide = (value) => Math.max(0, Math.min(1, value)) * 80;
  return svg("svg", { class: "bar", viewBox: "0 0 80 10", "aria-hidden": "true", focusable: "false" },
    svg("rect", { class: "rail", x: 0, y: 3, width: 80, height: 4, rx: 2 }), svg("rect", { class: "fill", x: 0, y: 3, width: wide(score), height: 4, rx: 2 }),
    svg("rect", { class: "tick", x: wide(limit) - 0.75, y: 0, width: 1.5, height: 10 }));
}
