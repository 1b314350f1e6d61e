// Syncs and events with what became of them; names that may be one thing's, and facts that disagree, to be decided on.

import { count, moment } from "./audit-words.js";
import { announce, el, theirs } from "./dom.js";
import { relationWord, stageWord, statusWord, typeWord } from "./facts-words.js";
import { icon } from "./icons.js";
import { shape } from "./shapes.js";
import { open } from "./source.js";
import { call } from "./stream.js";
import { dateAsText, number, placeOf, say, WORDS } from "./words.js";

export const OUTCOMES = ["proposed", "merged", "blocked", "apart"];
const ROWS = 50; // of a page
const MOST_WHY = 1000;
const MARKS = { proposed: "about", merged: "yes", blocked: "no", apart: "no" };

/** What stands above each of the three: how much there is, what waits for a person, and the last run. Throws Refused. */
async function strip(runs, conflicts) {
  const told = runs ?? await call("/audit/runs?limit=1");
  const open_ = (conflicts ?? await call("/audit/conflicts")).open.length;
  const last = told.runs[0];
  const figures = [["audit_things", count(told.things)], ["audit_facts", count(told.facts)], ["audit_open", count(open_)],
    ["audit_last_run", last ? `${moment(last.ended_at)} UTC${last.outcome === "done" ? "" : ` · ${last.outcome}`}` : "–"]];
  return el("dl", { class: "figures-strip" }, figures.map(([key, value]) => el("div", {}, el("dt", {}, say(key)), theirs("dd", value))));
}

const page = (address, key, wanted) => el("a", { class: "small", href: address(wanted), "data-here": true }, say(key));

export const runs = {
  /** The last syncs and events. Throws Refused. */
  async found(wanted, address) {
    const told = await call(`/audit/runs?limit=${ROWS}${wanted.before ? `&before=${encodeURIComponent(wanted.before)}` : ""}`);
    const text = told.runs.length ? say("audit_count", { n: count(told.runs.length) }) : say("audit_no_runs");
    const links = [told.more ? page(address, "audit_older", { ...wanted, before: told.runs[told.runs.length - 1].id }) : null, wanted.before ? page(address, "audit_newest", { ...wanted, before: "" }) : null];
    return [[await strip(wanted.before ? null : told), told.runs.length ? el("ol", { class: "log" }, told.runs.map(run)) : el("p", { class: "notice" }, text), el("p", { class: "pages" }, links)], text];
  },
};

function run(one) {
  const good = one.outcome === "done";
  const figures = (told, name, value) => Object.entries(told).filter(([, n]) => n).map(([key, n]) => el("span", {}, theirs("span", name(key), { class: "key" }), " ", value(n)));
  return el("li", {},
    el("div", { class: "log-head" }, el("time", { datetime: one.ended_at, class: "long" }, moment(one.ended_at)), el("strong", {}, runWord("cause", one.cause)), theirs("span", one.caller),
      el("span", { class: `badge ${good ? "good" : "bad"}` }, icon(good ? "yes" : "no"), good ? say("audit_done") : theirs("span", one.outcome), one.times > 1 ? ` ${count(one.times)}×` : "")),
    el("div", { class: "told" }, el("p", { class: "facts" }, figures(one.counts, (key) => runWord("run", key), count)), el("p", { class: "facts" }, figures(one.stages, stageWord, (n) => `${number(n)} s`)), one.error ? theirs("p", one.error, { class: "failed" }) : null));
}

const runWord = (list, name) => (Object.hasOwn(WORDS, `${list}_${name}`) ? say(`${list}_${name}`) : name.replaceAll("_", " "));

export const merges = {
  /** Pairs of names, with what may be decided. Throws Refused. */
  async found(wanted, address) {
    const parts = new URLSearchParams({ limit: String(ROWS) });
    for (const name of ["outcome", "before"]) if (wanted[name]) parts.set(name, wanted[name]);
    const told = await call(`/audit/merges?${parts}`);
    const text = told.merges.length ? say("audit_count", { n: count(told.merges.length) }) : say("audit_none");
    const links = [told.more && told.merges.length ? page(address, "audit_older", { ...wanted, before: told.merges[told.merges.length - 1].id }) : null, wanted.before ? page(address, "audit_newest", { ...wanted, before: "" }) : null];
    return [[await strip(), told.merges.length ? el("ul", { class: "pairs" }, told.merges.map(pair)) : el("p", { class: "notice" }, text), el("p", { class: "pages" }, links)], text];
  },
};

function pair(one) {
  const place = el("li", { tabindex: -1, data: { id: one.id } });
  const decide = (decision, why) => settled(place, () => call(`/audit/merges/${encodeURIComponent(one.id)}`, { decision, why }), (told) => {
    const fresh = pair(told);
    place.replaceWith(fresh);
    fresh.focus();
    return say(`outcome_${told.outcome}`);
  });
  const last = one.decisions[0];
  place.append(el("p", { class: "log-head" }, el("span", { class: "kind" }, shape(one.type), typeWord(one.type)),
    el("span", { class: `badge ${one.outcome === "merged" ? "good" : one.outcome === "proposed" ? "warn" : ""}` }, icon(MARKS[one.outcome]), say(`outcome_${one.outcome}`)),
    theirs("span", one.reason, { class: "quiet" }), one.tier === "judged" ? el("span", { class: "quiet" }, say("audit_alike", { n: number(one.similarity) })) : null),
  el("ul", { class: "sides" }, [one.a, one.b].map((side) => el("li", {}, el("p", { class: "side-head" }, theirs("strong", side.name)), words([side.words])))),
  el("p", { class: "quiet" }, say("audit_decided_by", { by: one.decided_by, date: `${moment(one.at)} UTC` }), last?.why ? [" ", theirs("q", last.why)] : null),
  form([one.outcome === "merged" ? null : ["audit_merge", "merge"], one.outcome === "apart" ? null : ["audit_apart", "apart"], one.can_undo ? ["audit_undo", "undo"] : null].filter(Boolean), decide));
  return place;
}

export const conflicts = {
  /** What disagrees, both sides beside each other, and what was decided. Throws Refused. */
  async found() {
    const told = await call("/audit/conflicts");
    const text = told.open.length ? say("audit_open_n", { n: count(told.open.length) }) : say("audit_none_open");
    const place = el("div", {});
    fillConflicts(place, told);
    return [[await strip(null, told), place], text];
  },
};

function fillConflicts(place, told) {
  const decide = (body, node) => settled(node, () => call("/audit/conflicts", body), (now) => {
    fillConflicts(place, now);
    place.querySelector("h2")?.focus();
    const figure = document.querySelectorAll(".figures-strip dd")[2];
    if (figure) figure.textContent = count(now.open.length);
    return say("audit_open_n", { n: count(now.open.length) });
  });
  place.replaceChildren(el("h2", { tabindex: -1 }, told.open.length ? say("audit_open_n", { n: count(told.open.length) }) : say("audit_none_open")),
    el("ul", { class: "pairs" }, told.open.map((one) => dispute(one, decide))),
    told.decided.length ? el("h2", {}, say("audit_decided_n", { n: count(told.decided.length) })) : "",
    told.decided.length ? el("ul", { class: "pairs" }, told.decided.map((one) => ruled(one, decide))) : "");
}

const said = (side) => [theirs("strong", side.subject), ` ${relationWord(side.predicate)} `, theirs("strong", side.said), side.qualifier ? theirs("span", side.qualifier, { class: "tag" }) : null];

const when = (side) => [side.valid_from && say("graph_since", { date: dateAsText(side.valid_from) }), side.observed_at && say("graph_confirmed", { date: dateAsText(side.observed_at) }), side.by_model && say("fact_inferred")].filter(Boolean).join(" · ");

function dispute({ thing, predicate, sides }, decide) {
  const node = el("li", {});
  const why = reason();
  node.append(el("p", { class: "log-head" }, theirs("strong", thing || "–"), theirs("span", relationWord(predicate), { class: "quiet" })),
    el("ul", { class: "sides" }, sides.map((side) => el("li", {}, el("p", { class: "said" }, said(side)), el("p", { class: "quiet" }, when(side) || say("undated"), ` · ${statusWord(side.status)}`), words(side.words),
      sides.length === 2 ? keep(side, sides, why, decide, node) : null))),
    sides.length === 2 ? why.node : pairsOf(sides, why, decide, node));
  return node;
}

const keep = (side, sides, why, decide, node) => el("button", { type: "button", class: "small keep", on: { click: () => decide({ kept: side.id, closed: sides.find((one) => one !== side).id, why: why.text() }, node) } }, icon("yes"), say("audit_keep"));

/** Where more than two disagree, each decision is on two of them: which is kept, which is closed. */
function pairsOf(sides, why, decide, node) {
  const options = () => sides.map((side, n) => el("option", { value: String(n) }, `${n + 1}. ${side.subject} ${relationWord(side.predicate)} ${side.said}`));
  const [kept, closed] = ["audit_keep", "audit_close"].map((key) => el("select", { "aria-label": say(key) }, options()));
  closed.value = "1";
  return el("div", { class: "decide" }, el("span", { class: "field" }, say("audit_keep"), kept), el("span", { class: "field" }, say("audit_close"), closed), why.node,
    el("button", { type: "button", class: "small", on: { click: () => kept.value !== closed.value && decide({ kept: sides[kept.value].id, closed: sides[closed.value].id, why: why.text() }, node) } }, say("audit_decide")));
}

function ruled(one, decide) {
  const node = el("li", {});
  const why = reason();
  node.append(el("ul", { class: "sides" }, [["audit_kept", one.kept], ["audit_closed", one.closed]].map(([key, side]) => el("li", {}, el("p", { class: "quiet" }, say(key)), el("p", { class: "said" }, said(side)), words(side.words)))),
    el("p", { class: "quiet" }, say("audit_decided_by", { by: one.made_by, date: `${moment(one.made_at)} UTC` }), one.why ? [" ", theirs("q", one.why)] : null, one.is_in_force ? null : ` · ${say("audit_reopened")}`),
    one.is_in_force ? el("div", { class: "decide" }, why.node, el("button", { type: "button", class: "small", on: { click: () => decide({ kept: one.kept.id, closed: one.closed.id, why: why.text(), decision: "reopen" }, node) } }, say("audit_undo"))) : "");
  return node;
}

function reason() {
  const field = el("input", { maxlength: MOST_WHY, dir: "auto", autocomplete: "off" });
  return { node: el("label", { class: "field why-field" }, say("audit_why"), field), text: () => field.value.trim() };
}

function form(choices, decide) {
  const why = reason();
  return el("div", { class: "decide" }, why.node, choices.map(([key, decision]) => el("button", { type: "button", class: "small", on: { click: () => decide(decision, why.text()) } }, say(key))));
}

/** Sends a decision, and says what came of it where it was made. */
async function settled(node, send, done) {
  node.querySelector(":scope > .failed")?.remove();
  node.setAttribute("aria-busy", "true");
  try {
    announce(done(await send()));
  } catch (error) {
    node.append(theirs("p", error.code === "not_allowed" ? say("audit_not_decide") : error.message || say("error"), { class: "failed", role: "alert" }));
  }
  node.removeAttribute("aria-busy");
}

/** Quotes, each with the button that opens its document at the lines. */
const words = (some) => el("ul", { class: "quotes" }, some.map(({ path, first_line: first, last_line: last, quote }) => {
  const passage = { source: path, title: path, lines: last > first ? `L${first}-${last}` : `L${first}`, quote };
  return el("li", {}, theirs("blockquote", quote), el("button", { type: "button", class: "link", on: { click: () => open(passage, [{ quote, first_line: first, last_line: last }]) } }, icon("document"), " ", placeOf(passage)));
}));
