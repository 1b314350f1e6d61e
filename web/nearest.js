// What to show when nothing was found: the passages that came nearest, and a way to say that they should.

import { el, theirs } from "./dom.js";
import { icon } from "./icons.js";
import { open } from "./source.js";
import { call } from "./stream.js";
import { datedText, placeOf, say } from "./words.js";

const MOST = 3;

/** The nearest passages: those that the stream told of, else what a search finds. */
export async function nearestTo(question, told) {
  const known = [told ?? []].flat().filter((passage) => passage && passage.source);
  if (known.length) return known.slice(0, MOST);
  try {
    return (await call("/search", { text: question, k: MOST })).hits.slice(0, MOST);
  } catch {
    return []; // what is not there is not shown; the answer stands without
  }
}

export function nearestSection(passages) {
  if (!passages.length) return null;
  return el("section", { class: "nearest" },
    el("h2", {}, say("nearest")), el("p", { class: "quiet" }, say("nearest_why")),
    el("ol", { class: "cards" }, passages.map((passage) => el("li", {}, passageCard(passage, null, [])))));
}

/** A passage as a button that opens it; `n` is its number in the answer, null without one. */
export function passageCard(passage, n, evidence) {
  const heading = passage.heading && passage.heading !== passage.title ? passage.heading.replaceAll(" > ", " › ") : "";
  const facts = [placeOf(passage), datedText(passage)].filter(Boolean);
  return el("button", { type: "button", class: "card", on: { click: () => open(passage, evidence) } },
    n === null ? icon("document") : el("span", { class: "n" }, n),
    el("span", { class: "what" },
      theirs("span", passage.title || heading || passage.source, { class: "name" }),
      passage.title && heading ? theirs("span", heading, { class: "path" }) : null,
      el("span", { class: "quiet" }, facts.join(" · "))),
    passage.stale ? el("span", { class: "badge warn" }, icon("warning"), say(`stale_${passage.stale}`)) : null);
}
