// What an answer knew: the question, who asked it, the passages with their versions, the limit, the model, judgements.

import { doers, outcome, seenLink, words } from "./audit-log.js";
import { count, moment, named } from "./audit-words.js";
import { el, theirs } from "./dom.js";
import { call } from "./stream.js";
import { number, placeText, say } from "./words.js";

const ORDER = ["cited", "given", "shown", "named"];
const VERDICTS = ["right", "wrong", "should_be_found"];

/** Elements for the answer (or search) of an id, and what to say of it. Throws Refused. */
export async function found({ id }, address) {
  const { rows } = await call(`/audit/answers/${encodeURIComponent(id)}`);
  const judged = rows.filter(({ kind }) => kind === "feedback");
  const asked = rows.filter(({ kind }) => kind !== "feedback");
  const nodes = (asked.length ? asked : rows).map((row) => [head(row, row === asked.at(-1) ? judged : [], address), passages(row, address)]).flat(2);
  return [nodes, say("audit_row", { n: count(rows[0].number) })];
}

function head(row, judged, address) {
  const { body } = row;
  const facts = [
    ["audit_asked_by", doers(row, address).filter(Boolean).flatMap((node) => [node, " "])],
    ["audit_when", `${moment(row.at)} UTC`],
    ["audit_status", outcome(body.status)],
    ["understood", body.asked && theirs("span", body.asked)],
    ["audit_road", body.road],
    ["audit_narrowed", body.filter && theirs("span", Object.entries(body.filter).map(([name, value]) => `${name}: ${value}`).join(", "))],
    ["how_model", body.model && theirs("span", body.model)],
    ["audit_limit", body.limit && say("audit_limit_is", { score: number(body.limit.min_score), coverage: number(body.limit.min_coverage), origin: body.limit.origin })],
    ["how_cached", body.made_at && `${moment(body.made_at)} UTC`],
    ["audit_judged", judged.length && judged.map(({ body: told, at }) => el("p", {}, VERDICTS.includes(told.verdict) ? say(told.verdict) : told.verdict, ` · ${moment(at)} UTC`))],
    ["audit_hash", body.answer_hash && el("span", { class: "hash", dir: "ltr" }, body.answer_hash)],
    ["audit_held", chips(body.principals)],
    ...(body.within ?? []).map((held) => [["audit_bound", { person: body.for || say("audit_person") }], chips(held)]),
  ];
  return el("section", { class: "answered-to" }, words(body) ? el("div", { class: "question" }, words(body)) : null,
    el("dl", {}, facts.filter(([, value]) => value && value.length !== 0).map(([key, value]) => [el("dt", {}, Array.isArray(key) ? say(...key) : say(key)), el("dd", {}, value)]).flat(),
      el("dt", {}, say("audit_row", { n: count(row.number) })), el("dd", { class: "hash", dir: "ltr" }, row.hash)));
}

const chips = (held) => held?.length ? el("span", { class: "chips" }, held.map((one) => theirs("span", one, { class: "tag" }))) : null;

function passages({ body, at }, address) {
  const all = [...body.documents ?? []].sort((one, other) => ORDER.indexOf(one.as) - ORDER.indexOf(other.as));
  if (!all.length) return [el("p", { class: "notice" }, say("audit_no_passages"))];
  return [el("h2", {}, say("audit_passages", { n: count(all.length) })), el("ol", { class: "passages" }, all.map((one) => el("li", {},
    seenLink(one.path, at, address), el("span", {}, placeText(one.lines ?? "")),
    el("span", { class: `badge ${one.as === "cited" ? "good" : ""}` }, named("as", one.as)),
    one.version ? el("p", { class: "quiet" }, say("audit_version", { version: "" }), el("span", { class: "hash", dir: "ltr" }, one.version)) : null,
    one.also?.length ? theirs("p", say("also_in", { places: one.also.join(", ") }), { class: "quiet" }) : null)))];
}
