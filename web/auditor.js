// The auditors' page: /auditor is the log, ?view=seen who could have seen a document, ?view=answer what an answer knew.

import * as answer from "./audit-answer.js";
import * as log from "./audit-log.js";
import * as seen from "./audit-seen.js";
import { conflicts, merges, OUTCOMES, runs } from "./audit-decide.js";
import { count, KINDS, moment, named } from "./audit-words.js";
import { toClipboard } from "./copy.js";
import { announce, byId, el, theirs } from "./dom.js";
import { icon } from "./icons.js";
import { wireTheme } from "./looks.js";
import { failure } from "./problems.js";
import { ready as signInReady } from "./signin.js";
import { close as closeSource, ready as sourceReady } from "./source.js";
import { call } from "./stream.js";
import { choose, fill, say } from "./words.js";

const VIEWS = { log, seen, answer, runs, merges, conflicts };
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const TAIL = 1000; // rows that a quick look checks
let turn = 0; // a slower reply of an earlier address is not shown

start();

function start() {
  const asked = new URLSearchParams(location.search).get("lang");
  choose([...(asked ? [asked] : []), ...navigator.languages]);
  fill(document);
  byId("log-kind").replaceChildren(el("option", { value: "" }, say("audit_kind_all")), ...KINDS.map((kind) => el("option", { value: kind }, named("kind", kind))));
  byId("merges-outcome").replaceChildren(el("option", { value: "" }, say("audit_kind_all")), ...OUTCOMES.map((outcome) => el("option", { value: outcome }, say(`outcome_${outcome}`))));
  for (const view of Object.keys(VIEWS)) if (byId(`${view}-form`)) wireForm(view);
  sourceReady();
  wireTheme();
  signInReady();
  addEventListener("popstate", show);
  document.addEventListener("click", followed);
  show();
  look(false);
}

function wireForm(view) {
  byId(`${view}-form`).addEventListener("submit", (event) => {
    event.preventDefault();
    const wanted = view === "log" ? {} : { view };
    for (const [name, value] of new FormData(event.target)) wanted[name] = value.trim();
    go(address(wanted));
  });
}

/** The address of a view of this page, with the language and look that were chosen in it. */
function address(wanted) {
  const now = new URLSearchParams(location.search);
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries(wanted)) if (value) parts.set(name, value);
  for (const name of ["lang", "theme"]) if (now.get(name)) parts.set(name, now.get(name));
  return `/auditor${parts.size ? `?${parts}` : ""}`;
}

function go(to) {
  window.history.pushState({}, "", to);
  show();
}

function followed(event) {
  const link = event.target instanceof Element ? event.target.closest("a[data-here]") : null;
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  go(address(Object.fromEntries(new URL(link.href).searchParams)));
  scrollTo(0, 0);
}

/** Shows what the address says. */
async function show() {
  const wanted = Object.fromEntries(new URLSearchParams(location.search));
  const view = Object.hasOwn(VIEWS, wanted.view ?? "") ? wanted.view : "log";
  for (const name of Object.keys(VIEWS)) {
    byId(`${name}-view`).hidden = name !== view;
    if (name === view) byId(`tab-${name}`).setAttribute("aria-current", "page");
    else byId(`tab-${name}`).removeAttribute("aria-current");
  }
  const fields = [...byId(`${view}-form`)?.elements ?? []];
  closeSource();
  for (const field of fields) if (field.name) field.value = shown(field, wanted[field.name]);
  document.title = `${say(view === "log" ? "audit_title" : `audit_tab_${view}`)} – ${say("title")}`;
  turn += 1;
  const mine = turn;
  const place = byId("found");
  const empty = fields.find((field) => field.required && !wanted[field.name]);
  if (empty) {
    place.replaceChildren();
    empty.focus();
    return;
  }
  place.setAttribute("aria-busy", "true");
  try {
    const [nodes, told] = await VIEWS[view].found(wanted, address);
    if (mine !== turn) return;
    place.replaceChildren(...nodes);
    announce(told);
  } catch (error) {
    if (mine !== turn) return;
    place.replaceChildren(refused(error, view));
  }
  if (turn > 1 && document.activeElement === document.body) byId("main").focus({ preventScroll: true }); // what was followed is gone
  place.removeAttribute("aria-busy");
}

/** What a field of the form shows: as it was asked for, except a day that is none; today where a day must be said. */
function shown(field, value) {
  if (field.type !== "date") return value ?? "";
  if (value === undefined && field.required) return new Date().toISOString().slice(0, 10);
  return DAY.test(value ?? "") ? value : "";
}

/** What to show in place of rows. */
function refused(error, view) {
  const known = { not_allowed: "audit_not_yours", not_found: "audit_no_answer" }[error.code]
    ?? (error.code === "usage" ? { seen: "audit_bad_day", answer: "audit_bad_id" }[view] : "");
  if (!known && error.code !== "usage") return failure(error, show);
  if (error.code === "not_allowed") byId(`${view}-view`).hidden = true;
  return el("section", { class: "notice bad", role: "alert" }, icon("warning"),
    el("div", {}, known ? el("p", {}, say(known)) : null, error.code === "usage" ? theirs("p", error.message, { class: "quiet" }) : null));
}

/** Says above everything whether the chain is whole: at its end, or on demand all of it. */
async function look(whole) {
  const place = byId("chain");
  let told;
  if (whole) {
    place.dataset.state = "waiting";
    place.querySelector("button")?.setAttribute("disabled", "");
    announce(say("audit_checking"));
    place.querySelector(".what").replaceChildren(el("p", {}, say("audit_checking")));
  }
  try {
    told = await call(`/audit/verify?whole=${whole}`);
  } catch (error) {
    if (!whole) return; // what is in the way is told by the view
    place.dataset.state = "broken";
    place.replaceChildren(refused(error, ""));
    return;
  }
  place.dataset.state = told.faults.length ? "broken" : "whole";
  place.replaceChildren(...chain(told, whole || told.rows <= TAIL));
  place.hidden = false;
  if (whole) announce(place.querySelector(".what").textContent);
}

function chain(told, all) {
  const state = told.faults.length ? say("audit_broken") : !told.rows ? say("audit_empty")
    : say(all ? "audit_whole" : "audit_whole_tail", { rows: count(told.rows), n: count(TAIL) });
  const copy = told.head && el("button", { type: "button", class: "small", on: { click: (event) => copied(event.currentTarget, told.head) } }, icon("copy"), say("audit_copy_head"));
  const head = told.head && el("p", { class: "quiet" }, say("audit_head", { n: count(told.head.number), date: `${moment(told.head.at)} UTC` }), " ",
    el("span", { class: "hash", dir: "ltr", title: told.head.hash }, told.head.hash.slice(0, 16), "…"));
  return [icon(told.faults.length ? "warning" : "proved"),
    el("div", { class: "what" }, el("p", {}, el("strong", {}, state)), head, told.heads ? el("p", { class: "quiet" }, say("audit_heads", { n: count(told.heads) })) : null),
    el("div", { class: "actions" }, all ? null : el("button", { type: "button", class: "small", on: { click: () => look(true) } }, say("audit_check")), copy),
    told.faults.length || told.notes.length ? el("ul", {}, [...told.faults, ...told.notes].map((text) => el("li", {}, theirs("span", text)))) : null].filter(Boolean);
}

/** The head as `python -m access.audit head` prints it: a line of a file of heads. */
async function copied(button, { number, hash, at }) {
  const line = JSON.stringify({ at, hash, number });
  const text = await toClipboard(line).then(() => say("copied"), () => say("copy_failed"));
  button.lastChild.textContent = text;
  announce(text);
}
