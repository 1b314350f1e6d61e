// Finds each claim's words in the rendered answer and puts its mark behind them. What is not found is told to the caller.
//
// White space and Markdown's marks are passed over on both sides, since the claim has none of the renderer's.

import { el } from "./dom.js";
import { icon } from "./icons.js";
import { say } from "./words.js";

const PASSED_OVER = /[\s*_`#|>\\~\u2060]/g;
const LIST_MARK = /^\s*(?:[-*+]|\d{1,4}[.)])\s+/gm;
const NOT_TEXT = "button, svg, .why";

/** "proved", "unproved", "uncited" or "about": which of the four marks a claim has. */
export function kindOf(claim) {
  if (claim.about === "sources") return "about";
  if (claim.status === "supported") return "proved";
  return claim.status === "uncited" ? "uncited" : "unproved";
}

/** What a mark says in words, with the checker's reason. */
export function reasonOf(claim) {
  const kind = kindOf(claim);
  const judged = claim.judged === "could_not_check" ? [say("judge_could_not")] : claim.judged_why ? [claim.judged_why] : [];
  return [say(`why_${kind}`), claim.reason, ...judged].filter(Boolean).join(" ");
}

/** Marks `claim` in `root`; its button, null when its words are not there. `open` is called with the claim and the button. */
export function mark(root, claim, open) {
  const flat = flattened(root);
  const range = tries(claim).map((needle) => whereIs(flat, needle)).find(Boolean);
  if (!range) return null;
  const kind = kindOf(claim);
  const spans = wrapped(flat, range, () => el("span", { class: `claim claim-${kind}` }));
  const button = markButton(claim, kind, () => open(claim, button));
  for (const [event, on] of [["mouseenter", true], ["focus", true], ["mouseleave", false], ["blur", false]]) {
    button.addEventListener(event, () => spans.forEach((span) => span.classList.toggle("hot", on)));
  }
  button.tail = tailed(spans, button);
  button.spans = spans;
  return button;
}

/** Takes a mark back: the text is as it was. */
export function unmark(button) {
  button?.remove();
  for (const span of [...(button?.spans ?? []), button?.tail]) span?.replaceWith(...span.childNodes);
}

/** The button of a mark alone. */
export function markButton(claim, kind, press) {
  const label = `${say(`mark_${kind}`)}: ${claim.text}`;
  const opens = kind === "proved" ? {} : { "aria-expanded": "false" };
  return el("button", { type: "button", class: `mark mark-${kind}`, title: reasonOf(claim), "aria-label": label, ...opens, on: { click: press } }, icon(kind));
}

function tries(claim) {
  const text = claim.text.replace(LIST_MARK, "");
  const afterLead = text.replace(/^[^:–：]{1,200}[:–：]\s*/, "");
  const quotes = claim.evidence.slice(0, 1).map((evidence) => evidence.quote.replace(LIST_MARK, ""));
  return [text, ...quotes, afterLead].map((one) => one.replace(PASSED_OVER, "")).filter((one) => one.length > 1);
}

/** The text of `root` without what is passed over, and where each of its characters stands; marked text as NUL. */
function flattened(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT, (node) =>
    node.parentElement.closest(NOT_TEXT) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT);
  let text = "";
  const places = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const taken = node.parentElement.closest(".claim");
    for (let offset = 0; offset < node.data.length; offset += 1) {
      const character = node.data[offset];
      PASSED_OVER.lastIndex = 0;
      if (PASSED_OVER.test(character)) continue;
      text += taken ? "\0" : character;
      places.push([node, offset]);
    }
  }
  return { text, places };
}

function whereIs(flat, needle) {
  const at = flat.text.indexOf(needle);
  return at < 0 ? null : [at, at + needle.length - 1];
}

/** Wraps the characters of a range, a span in each text node it touches. */
function wrapped(flat, [first, last], made) {
  const pieces = [];
  for (let at = first; at <= last; at += 1) {
    const [node, offset] = flat.places[at];
    const piece = pieces[pieces.length - 1];
    if (piece && piece.node === node) piece.end = offset + 1;
    else pieces.push({ node, start: offset, end: offset + 1 });
  }
  return pieces.map(({ node, start, end }) => {
    const middle = start ? node.splitText(start) : node;
    if (end - start < middle.data.length) middle.splitText(end - start);
    const span = made();
    middle.replaceWith(span);
    span.append(middle);
    return span;
  });
}

/** Puts the button behind the last span and its citations, and keeps it on one line with the last word. */
function tailed(spans, button) {
  const last = spans[spans.length - 1];
  const word = /(?:\S{1,24}|\S)$/.exec(last.textContent);
  let start = last;
  if (word && word.index > 0) {
    start = last.cloneNode();
    start.append(last.firstChild.splitText(word.index));
    last.after(start);
    spans.push(start);
  }
  let outer = start; // a claim that ends in bold has its citations behind the bold
  while (!outer.nextSibling && outer.parentElement.matches("strong, em, code")) outer = outer.parentElement;
  if (outer !== start) start = outer;
  const before = start.previousSibling;
  if (start.textContent.length < 3 && before instanceof Element && before.matches(".cite")) start = before; // "days [1]."
  let end = outer;
  for (let next = outer.nextSibling; next; next = next.nextSibling) {
    if (next.nodeType === Node.TEXT_NODE && !next.data.trim()) continue;
    if (!(next instanceof Element) || !next.matches(".cite")) break;
    end = next;
  }
  const tail = el("span", { class: start.textContent.length < 40 ? "tail" : "" });
  start.before(tail);
  while (tail.nextSibling !== end) tail.append(tail.nextSibling);
  tail.append(end, button);
  return tail;
}
