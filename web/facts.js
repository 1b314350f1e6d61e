// An answer from facts: the status of each fact behind its sentence, and a small line how the answer was found.
//
// Knows no server. What a status means is told in manual/graph.md.

import { el } from "./dom.js";
import { say } from "./words.js";

const COLOURS = { stale: "warn", disputed: "warn", inferred: "warn", verified: "good", observed: "good" };

/** Whether the facts answered, not passages. */
export const isFromFacts = (answer) => Boolean(answer.route && answer.route.tool !== "text" && answer.route.rows?.length);

/** Puts the status of its fact behind the mark of each claim ({claim, node}); each fact is told with it once. */
export function badge(claims, answer) {
  if (!isFromFacts(answer)) return;
  const statuses = new Map(answer.route.rows.flatMap(({ steps }) => steps).map((step) => [told(step), step.status]));
  for (const { claim, node } of claims) {
    const status = statuses.get(told(claim));
    if (!node || !status) continue;
    const end = node.tail ?? node; // with the word before it
    let beside = end.nextSibling;
    while (beside?.nodeType === Node.TEXT_NODE && !beside.data.trim()) beside = beside.nextSibling;
    // " (since 2025-09-10, observed) ": the status is told by the badge
    if (beside?.nodeType === Node.TEXT_NODE) beside.data = beside.data.replace(/^(\s*)\((?:(.*?), )?[^,()]*\)/, (_, space, times) => (times ? `${space}(${times})` : ""));
    end.after(" ", el("span", { class: `badge ${COLOURS[status] ?? ""}` }, say(`fact_${status}`)));
  }
}

/** By which question to the facts the answer was found, or null. */
export function howFound(answer) {
  if (!isFromFacts(answer)) return null;
  const reason = answer.route.reason ? [": ", el("bdi", {}, answer.route.reason)] : [];
  return el("p", { class: "byfacts quiet" }, say("by_facts"), " ", el("code", {}, answer.route.tool), ...reason);
}

const told = ({ evidence }) => JSON.stringify(evidence.map((one) => [one.n, one.first_line, one.last_line, one.quote]));
