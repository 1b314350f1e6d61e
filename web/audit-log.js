// The rows of the audit log, the newest first, under the day they were written.

import { count, moment, named } from "./audit-words.js";
import { el, theirs } from "./dom.js";
import { icon } from "./icons.js";
import { call } from "./stream.js";
import { say } from "./words.js";

const ROWS = 50; // of a page
const FEW = 3;
const FILTERS = ["kind", "caller", "document", "since", "until", "before"];
const DAY = { dateStyle: "full" };
const GOOD = ["answered", "found", "read", "accepted"];
const CAUTION = ["needs_review", "not_found", "begun"];
const APART = ["principals", "within", "for", "by", "status", "road", "documents"]; // told elsewhere, or in the whole row
const UNKNOWN = "unknown"; // whose the credentials were
let address; // makes the address of another view

/** Elements for the rows that are wanted, and what to say of them. Throws Refused. */
export async function found(wanted, to) {
  address = to;
  const parts = new URLSearchParams({ newest: "true", limit: String(ROWS) });
  for (const name of FILTERS) if (wanted[name]) parts.set(name, wanted[name]);
  const { rows, more } = await call(`/audit?${parts}`);
  const told = rows.length ? say("audit_count", { n: count(rows.length) }) : say("audit_none");
  const links = [
    more ? page("audit_older", { ...wanted, before: rows[rows.length - 1].number }) : null,
    wanted.before ? page("audit_newest", { ...wanted, before: "" }) : null,
    FILTERS.slice(0, -1).some((name) => wanted[name]) ? page("audit_all", {}) : null,
  ];
  return [[...days(rows), rows.length ? null : el("p", { class: "notice" }, told), el("p", { class: "pages" }, links)].filter(Boolean), told];
}

const page = (key, wanted) => el("a", { class: "small", href: address(wanted), "data-here": true }, say(key));

function days(rows) {
  const nodes = [];
  let day = "";
  for (const row of rows) {
    if (row.at.slice(0, 10) !== day) {
      day = row.at.slice(0, 10);
      nodes.push(el("h2", { class: "day" }, `${moment(row.at, DAY)}, UTC`), el("ol", { class: "log" }));
    }
    nodes[nodes.length - 1].append(item(row));
  }
  return nodes;
}

function item(row) {
  return el("li", { data: { kind: row.kind } },
    el("div", { class: "log-head" }, el("time", { datetime: row.at }, moment(row.at, { timeStyle: "medium" })),
      el("strong", {}, named("kind", row.kind)), doers(row), outcome(row.body.status), whole(row)),
    el("div", { class: "told" }, what(row)));
}

/** Who did it; an agent with the person for whom it came. Each leads to all that they did. */
export function doers({ caller, body }, to = address) {
  const link = (name) => name === UNKNOWN ? theirs("span", name) : theirs("a", name, { href: to({ caller: name }), "data-here": true });
  return [link(caller), body.for ? el("span", {}, around("audit_for", "person", link(body.for))) : null,
    body.by ? theirs("span", say("audit_by", { by: body.by }), { class: "quiet" }) : null];
}

/** A sentence with an element in the place of its blank. */
function around(key, blank, node) {
  const [before, after] = say(key, { [blank]: "\u0000" }).split("\u0000");
  return [before, node, after];
}

export function outcome(status) {
  if (!status) return null;
  const kind = GOOD.includes(status) ? "good" : CAUTION.includes(status) ? "warn" : "bad";
  return el("span", { class: `badge ${kind}` }, icon({ good: "yes", warn: "about", bad: "no" }[kind]), named("status", status));
}

/** The question in the words it was asked in, or that there is only its hash. */
export const words = (body) => body.question !== undefined ? theirs("p", body.question, { class: "asked" })
  : body.question_hash ? el("p", { class: "quiet" }, say("audit_hashed", { hash: "" }), el("span", { class: "hash", dir: "ltr" }, body.question_hash)) : null;

function what({ kind, body, at }) {
  const answers = kind === "question" || kind === "feedback";
  const known = answers && body.id ? el("p", {}, el("a", { href: address({ view: "answer", id: body.id }), "data-here": true }, say("audit_to_answer"))) : null;
  if (kind === "question" || kind === "search") return [words(body), places(body.documents ?? [], at), known];
  if (kind === "read") return places(body.documents ?? [], at);
  if (kind === "rights") return [...few(body.lists ?? [], (list) => lists(list, at)), body.removed ? facts({ [say("audit_removed")]: body.removed }) : null];
  if (kind === "sign_in") return signIn(body);
  if (kind === "directory") return el("p", {}, say("audit_changed", { n: count(Object.keys(body.members ?? {}).length) }), " ", theirs("span", some(Object.keys(body.members ?? {}))));
  return [facts(Object.fromEntries(Object.entries(body).filter(([name]) => !APART.includes(name)))), known];
}

/** A sign-in; of those refused the reason first, and how often in what time. */
function signIn({ reason, count: times, since, until, credential, peer, scopes }) {
  const time = times > 1 && [since, until].map((at) => moment(at, { timeStyle: "medium" })).join(" – ");
  return facts({ reason: reason ?? "", ...(times > 1 ? { count: `${count(times)}× (${time})` } : {}), credential: credential ?? "", peer: peer ?? "", scopes: scopes ?? "" });
}

/** The documents of a row, each once with its lines; each leads to who could have seen it that day. */
function places(documents, at) {
  const lines = new Map();
  for (const one of documents) lines.set(one.path, [...(lines.get(one.path) ?? []), ...(one.lines ? [one.lines] : [])]);
  if (!lines.size) return null;
  return el("p", { class: "facts" }, few([...lines], ([path, of]) => el("span", {}, seenLink(path, at), of.length ? ` ${some([...new Set(of)])}` : "")));
}

/** A document's name that leads to who could have seen it on the day of the moment `at`. */
export const seenLink = (path, at, to = address) => theirs("a", path, { href: to({ view: "seen", document: path, on: at.slice(0, 10) }), "data-here": true });

function lists(list, at) {
  const rights = [["audit_allow", list.allow], ["audit_narrow", list.narrow], ["audit_deny", list.deny]].filter(([, held]) => held);
  return el("div", {}, places(list.documents.map((path) => ({ path })), at),
    facts(Object.fromEntries(rights.map(([key, held]) => [say(key), held.length ? held : [say("audit_nobody")]]))));
}

/** What a row says, a name and a value each; of a list the first few, of an object each part. */
function facts(told) {
  const parts = Object.entries(told).flatMap(([name, value]) => isObject(value) ? Object.entries(value) : [[name, value]]);
  const shown = parts.filter(([, value]) => value !== "" && value !== null && !(Array.isArray(value) && !value.length));
  return shown.length ? el("p", { class: "facts" }, shown.map(([name, value]) =>
    el("span", {}, el("span", { class: "key" }, name), " ", theirs("span", Array.isArray(value) ? some(value.map(short)) : short(value))))) : null;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

function short(value) {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 157)}…` : text;
}

const some = (names) => few(names, (name) => name, FEW + 2).join(", ");

/** The first few, each as `make` makes it, and how many more there are. */
function few(all, make, most = FEW) {
  const first = all.slice(0, most).map(make);
  return all.length > most ? [...first, typeof first[0] === "string" ? moreOf(all.length - most) : el("span", { class: "quiet" }, moreOf(all.length - most))] : first;
}

const moreOf = (n) => say("audit_more_of", { n: count(n) });

/** The whole row as it is stored, made when it is asked for. */
function whole(row) {
  const box = el("details", {}, el("summary", {}, say("audit_row", { n: count(row.number) })));
  box.addEventListener("toggle", () => box.append(el("pre", {}, JSON.stringify(row, null, 2))), { once: true });
  return box;
}
