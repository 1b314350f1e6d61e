// Who could have seen a document on a day: the lists that were in force, whom they let in, and who was shown it.

import { count, moment } from "./audit-words.js";
import { el, theirs } from "./dom.js";
import { call } from "./stream.js";
import { say } from "./words.js";

const FIRST = 200; // people that are shown before all are asked for

/** Elements for a document and a day, and what to say of them. Throws Refused. */
export async function found({ document, on }, address) {
  const told = await call(`/audit/could-have-seen?${new URLSearchParams({ document, on })}`);
  const people = everyone(told);
  const could = people.filter(({ by }) => by);
  const line = could.length ? say("audit_could", { n: count(could.length) }) : say("audit_could_none");
  const date = on.length === 10 ? moment(told.begin, { dateStyle: "long" }) : `${moment(told.begin)} UTC`;
  return [[
    el("h2", {}, theirs("span", told.document), ` · ${date}`),
    told.spans.length ? [el("h2", {}, say("audit_lists")), el("ul", { class: "spans" }, told.spans.map(span))] : [],
    el("h2", {}, line), people.length ? table(people, address) : [],
    told.notes.length ? [el("h2", {}, say("audit_unknown")), el("div", { class: "notice" }, el("ul", {}, told.notes.map((text) => el("li", {}, theirs("span", text)))))] : [],
  ].flat(), line];
}

/** Everybody the reply names, those who were shown it first, then who asked, then the others. */
function everyone({ people, came, did, acted }) {
  const names = [...new Set([...Object.keys(did), ...Object.keys(came), ...Object.keys(people).sort()])];
  return names.map((name) => ({ name, who: acted[name] ?? name, by: people[name] ?? came[name] ?? "", came: name in came || name in did, did: did[name] ?? 0 }));
}

function span({ since, rights }) {
  const rows = rights && [["audit_allow", rights.allow], ["audit_narrow", rights.narrow], ["audit_deny", rights.deny]].filter(([key, held]) => held && (held.length || key !== "audit_deny"));
  return el("li", {}, el("p", { class: "quiet" }, since ? say("audit_list_since", { date: `${moment(since)} UTC` }) : say("audit_list_before")),
    rights ? el("dl", {}, rows.map(([key, held]) => [el("dt", {}, say(key)), el("dd", { class: "chips" }, held.length ? [...held].sort().map((one) => theirs("span", one, { class: "tag" })) : say("audit_nobody"))]).flat())
      : el("p", {}, say("audit_removed")));
}

function table(people, address) {
  const body = el("tbody", {});
  const add = (some) => body.append(...some.map(({ name, who, by, came, did }) => el("tr", {},
    el("th", { scope: "row" }, theirs("a", name, { href: address({ caller: who }), "data-here": true })), theirs("td", by || "–"),
    el("td", {}, did ? say("audit_shown", { n: count(did) }) : came ? say("audit_came") : "–"))));
  add(people.slice(0, FIRST));
  const more = people.length > FIRST ? el("button", { type: "button", class: "more", on: { click: () => {
    add(people.slice(FIRST));
    more.remove();
    body.children[FIRST].querySelector("a").focus();
  } } }, say("audit_show_all", { n: count(people.length) })) : null;
  return [el("div", { class: "wide-table" }, el("table", {},
    el("thead", {}, el("tr", {}, ["audit_name", "audit_through", "audit_that_day"].map((key) => el("th", { scope: "col" }, say(key))))), body)), more].filter(Boolean);
}
