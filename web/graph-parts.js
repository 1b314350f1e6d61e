// What stands beside the map: the card of a thing, the way between two, and the same things as a list.

import { count, relationWord, statusWord, typeWord } from "./facts-words.js";
import { el, theirs } from "./dom.js";
import { icon } from "./icons.js";
import { shape } from "./shapes.js";
import { open } from "./source.js";
import { call } from "./stream.js";
import { dateAsText, placeOf, say } from "./words.js";

const BY = " (by)"; // how the server marks a relation that is read from its object
const ROWS = 200; // things of a kind that are listed at once
const MARKS = { disputed: "disagree", stale: "clock", inferred: "about", observed: "document", verified: "proved" };

/** How sure a fact is, as a word with a sign of its own. */
export const badge = (status) => el("span", { class: `badge status-${status}` }, icon(MARKS[status] ?? "document"), statusWord(status));

/** The words behind a fact; each opens its document at the lines. */
export function quotes(evidence, sources) {
  const held = evidence.map((one) => ({ one, source: sources.find((source) => source.n === one.n) })).filter(({ source }) => source);
  return held.length ? el("ul", { class: "quotes" }, held.map(({ one, source }) => {
    const lines = one.last_line > one.first_line ? `L${one.first_line}-${one.last_line}` : `L${one.first_line}`;
    const passage = { ...source, lines, place: one.place || "" };
    return el("li", {}, theirs("blockquote", one.quote), el("button", { type: "button", class: "link", on: { click: () => open(passage, [one]) } }, icon("document"), " ", placeOf(passage)));
  })) : null;
}

/** From when, until when, and when it was last said. */
export function times({ valid_from: from, until: to, observed_at: seen, undated }) {
  const told = [undated && say("graph_undated"), from && say("graph_since", { date: dateAsText(from) }), to && say("graph_until", { date: dateAsText(to) }), seen && say("graph_confirmed", { date: dateAsText(seen) })].filter(Boolean);
  return told.length ? el("span", { class: "quiet" }, told.join(" · ")) : null;
}

const closer = (to) => el("button", { type: "button", class: "round closer", "aria-label": say("graph_card_close"), title: `${say("graph_card_close")} (Esc)`, on: { click: to.close } }, icon("close"));

/** Elements for what is known of a thing, as of the day that is wanted. Throws Refused. */
export async function card(wanted, to) {
  const parts = new URLSearchParams({ thing: wanted.thing, ...(wanted.as_of ? { as_of: wanted.as_of } : {}) });
  const { rows, sources, why } = await call(`/graph/card?${parts}`);
  if (!rows.length) return [el("header", {}, theirs("h2", wanted.thing), closer(to)), el("p", { class: "quiet" }, say("graph_unknown"))];
  const [first, ...facts] = rows;
  const { name, type, key } = first.thing;
  const also = first.cells[1].split(", ").filter((one) => one !== name);
  const named = first.citations.map((n) => sources.find((source) => source.n === n)).filter(Boolean);
  const groups = Map.groupBy ? Map.groupBy(facts, (row) => row.cells[0]) : grouped(facts);
  return [
    el("header", {}, el("p", { class: "kind" }, shape(type), typeWord(type)), el("h2", {}, theirs("bdi", name)), closer(to)),
    also.length ? el("p", { class: "quiet" }, `${say("graph_called")}: `, theirs("span", also.join(", "))) : null,
    el("p", { class: "actions" },
      el("button", { type: "button", class: "small", on: { click: () => to.around(key) } }, say("graph_around")),
      el("button", { type: "button", class: "small", on: { click: () => to.from(name) } }, say("graph_way_here"))),
    facts.length ? null : el("p", { class: "quiet" }, say("graph_card_none")),
    ...[...groups].map(([what, some]) => el("section", { class: "told-facts" }, el("h3", {}, relation(what)), el("ul", {}, some.map((row) => fact(row, sources, to))))),
    why ? theirs("p", why, { class: "quiet" }) : null,
    named.length ? el("section", { class: "told-facts" }, el("h3", {}, say("graph_named_in")), el("ul", { class: "quotes" }, named.map((source) =>
      el("li", {}, el("button", { type: "button", class: "link", on: { click: () => open(source, []) } }, icon("document"), " ", placeOf(source)))))) : null,
  ].filter(Boolean);
}

function grouped(rows) {
  const found = new Map();
  for (const row of rows) found.set(row.cells[0], [...(found.get(row.cells[0]) ?? []), row]);
  return found;
}

const relation = (what) => what.endsWith(BY) ? say("graph_by", { relation: relationWord(what.slice(0, -BY.length)) }) : relationWord(what);

function fact(row, sources, to) {
  const [, said, qualifier] = row.cells;
  const [step] = row.steps;
  const value = row.thing ? theirs("button", said, { type: "button", class: "link thing", on: { click: () => to.thing(row.thing.key) } }) : theirs("span", said, { class: "thing" });
  return el("li", {}, el("p", { class: "said" }, row.thing ? shape(row.thing.type) : null, value, qualifier ? theirs("span", qualifier, { class: "tag" }) : null, step ? badge(step.status) : null),
    step ? times(step) : null, step ? quotes(step.evidence, sources) : null);
}

/** {nodes, keys, names}: the steps of the shortest way with their words, and the things on it. Throws Refused. */
export async function way(wanted, map, to) {
  const parts = new URLSearchParams({ a: wanted.a, b: wanted.b, ...(wanted.as_of ? { as_of: wanted.as_of } : {}) });
  const { rows, sources } = await call(`/graph/path?${parts}`);
  const known = new Map(map.nodes.map((node) => [node.key, node.name]));
  const names = [known.get(wanted.a) ?? tail(wanted.a), known.get(wanted.b) ?? tail(wanted.b)];
  const steps = rows[0]?.steps ?? [];
  const head = el("header", {}, el("h2", {}, el("bdi", {}, names[0]), " → ", el("bdi", {}, names[1])), closer(to));
  const close = { a: wanted.a, b: wanted.b };
  if (!steps.length) return { nodes: [head, el("p", { class: "notice" }, say("graph_way_none"))], keys: [wanted.a, wanted.b], names };
  return {
    nodes: [head, el("p", { class: "quiet" }, say("graph_way_steps", { n: count(steps.length) })),
      el("ol", { class: "way" }, steps.map((step) => el("li", {},
        el("p", { class: "said" }, theirs("strong", step.subject), ` ${relationWord(step.predicate)} `, theirs("strong", step.object), step.qualifier ? theirs("span", step.qualifier, { class: "tag" }) : null, badge(step.status)),
        times(step), quotes(step.evidence, sources))))],
    keys: along(steps, map, close), names,
  };
}

const tail = (key) => key.slice(key.indexOf("/") + 1);

/** The keys of the things on the way, in order: steps tell names, the map's ties tell which things these are. */
function along(steps, map, { a, b }) {
  const named = new Map(map.nodes.map((node) => [node.key, node.name]));
  const found = [a];
  for (const step of steps) {
    const here = found[found.length - 1];
    const tie = map.edges.find((edge) => edge.predicate === step.predicate && (edge.source === here || edge.target === here)
      && named.get(edge.source) === step.subject && named.get(edge.target) === step.object);
    if (!tie) return [...found, b];
    found.push(tie.source === here ? tie.target : tie.source);
  }
  return found;
}

/** The things of the map under their kinds, those with the most ties first. */
export function list(map, choose) {
  const kinds = [...new Set(map.nodes.map((node) => node.type))].sort((one, other) => typeWord(one).localeCompare(typeWord(other)));
  return kinds.map((type) => {
    const some = map.nodes.filter((node) => node.type === type);
    const place = el("ul", { class: "things" });
    const more = el("button", { type: "button", class: "small", on: { click: () => add() } }, say("graph_more_things"));
    const add = () => {
      const from = place.children.length;
      place.append(...some.slice(from, from + ROWS).map((node) => item(node, choose)));
      if (from) place.children[from]?.querySelector("button").focus();
      more.hidden = place.children.length >= some.length;
    };
    add();
    return el("section", {}, el("h2", {}, shape(type), `${typeWord(type)} (${count(some.length)})`), place, more);
  });
}

const item = (node, choose) => el("li", {}, theirs("button", node.name, { type: "button", class: "link thing", on: { click: () => choose(node.key) } }),
  el("span", { class: "quiet" }, say("graph_ties", { n: count(node.degree) })), node.statuses.includes("disputed") ? badge("disputed") : null);
