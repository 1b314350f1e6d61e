// An answer as plain text with numbered sources, for a letter or a chat.

import { besides, outcome } from "./problems.js";
import { datedText, placeOf, say } from "./words.js";

export function asText(question, answer) {
  const text = answer.answer.replace(/\\([\\`*_[\]#|-])/g, "$1").replace(/\*\*(?=\S)(.*?\S)\*\*/g, "$1");
  const sources = answer.sources.map((source) => {
    const where = [source.title, source.heading.replaceAll(" > ", " › ")].filter((part, place, all) => part && all.indexOf(part) === place).join(" – ");
    const stale = source.stale ? ` (${say(`stale_${source.stale}`)})` : "";
    return `[${source.n}] ${where}: ${placeOf(source).replace(/[\u2068\u2069]/g, "")}${datedText(source) && `, ${datedText(source)}`}${stale}`;
  });
  const beside = besides(answer).length ? [`${say("beside")}: ${besides(answer).join("; ")}.`] : [];
  const review = outcome(answer) === "needs_review" ? // a conflict is told in the text
     [`${say("needs_review")}: ${say("review_why")}`] : [];
  return [question, ...beside, text, ...review, sources.join("\n")].filter(Boolean).join("\n\n");
}

/** Puts text on the clipboard; where the page may not (no TLS), by the selection of a field. */
export async function toClipboard(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement("textarea");
  field.value = text;
  field.setAttribute("readonly", "");
  field.className = "unseen";
  const before = document.activeElement;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  before?.focus();
  if (!done) throw new Error("copy");
}
