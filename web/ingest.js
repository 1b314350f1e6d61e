// /ingest: a message or a note is sent, its stages fill as the server tells them, and then stands what it changed.

import { count, relationWord, stageWord } from "./facts-words.js";
import { announce, byId, el, theirs } from "./dom.js";
import { badge, times } from "./graph-parts.js";
import { icon } from "./icons.js";
import { links } from "./links.js";
import { wireTheme } from "./looks.js";
import { failure } from "./problems.js";
import { fetched, ready as signInReady } from "./signin.js";
import { open, ready as sourceReady } from "./source.js";
import { tell } from "./stream.js";
import { choose, fill, number, placeOf, say } from "./words.js";

const STAGES = ["write", "look", "read", "extract", "embed", "index", "change"];
const NOTICES = { events_off: "ingest_off", not_allowed: "ingest_not_yours", event_kept: "ingest_kept" };
let sending = false;

start();

function start() {
  const asked = new URLSearchParams(location.search).get("lang");
  choose([...(asked ? [asked] : []), ...navigator.languages]);
  fill(document);
  document.title = `${say("ingest_title")} – ${say("title")}`;
  wireTheme();
  sourceReady();
  signInReady();
  byId("event-form").addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  byId("text").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) byId("event-form").requestSubmit();
  });
  byId("text").focus();
  look();
}

/** Says before anything is written whether it could be sent. */
async function look() {
  try {
    const told = await (await fetched("/readyz", { cache: "no-store" })).json();
    if (told.writes === false) byId("notice").replaceChildren(notice(told.events ? "ingest_not_yours" : "ingest_off", "warn"));
  } catch {
    // the server is away: sending tells
  }
  links();
}

const notice = (key, kind, detail = "") => el("section", { class: `notice ${kind}`, role: kind === "bad" ? "alert" : null }, icon("warning"),
  el("div", {}, el("p", {}, say(key)), detail ? theirs("p", detail, { class: "quiet" }) : null));

async function send() {
  const text = byId("text").value.trim();
  if (!text || sending) return;
  const body = { text, kind: byId("kind").value, channel: byId("channel").value.trim(), access: byId("access").value.split(/[,\s]+/).filter(Boolean) };
  const stages = new Map();
  const bar = el("ol", { class: "stages", "aria-label": say("ingest_stages") });
  const state = el("p", { class: "status" }, el("span", { class: "pulse", "aria-hidden": "true" }), say("ingest_sending"));
  const place = byId("outcome");
  sending = true;
  byId("send").setAttribute("aria-disabled", "true");
  place.replaceChildren(state, bar);
  draw(bar, stages, true);
  announce(say("ingest_sending"));
  try {
    await tell(body, (name, told) => {
      if (name === "stage") {
        stages.set(told.stage, told.seconds);
        draw(bar, stages, true);
      }
      if (name === "event") {
        draw(bar, new Map(Object.entries(told.stages)), false);
        place.replaceChildren(...outcome(told), bar);
        byId("notice").replaceChildren();
        place.focus({ preventScroll: true });
        place.scrollIntoView({ block: "start" });
        announce(place.querySelector("h2").textContent);
      }
    });
  } catch (error) {
    const known = NOTICES[error.code];
    place.replaceChildren(known ? notice(known, "bad", error.code === "not_allowed" ? "" : error.message) : failure(error, send), stages.size ? bar : "");
  }
  sending = false;
  byId("send").removeAttribute("aria-disabled");
}

/** The stages that were told, in their order, and those to come. */
function draw(bar, stages, waits) {
  const names = [...STAGES.filter((name) => waits || stages.has(name)), ...[...stages.keys()].filter((name) => !STAGES.includes(name))];
  bar.replaceChildren(...names.map((name) => el("li", { class: stages.has(name) ? "done" : "" }, stages.has(name) ? icon("yes") : el("span", { class: "to-come", "aria-hidden": "true" }),
    theirs("span", stageWord(name)), stages.has(name) ? el("span", { class: "quiet" }, `${number(stages.get(name))} s`) : null)));
}

function outcome({ deduplicated, path, access, changed }) {
  const { facts, ended, conflicts } = changed;
  const some = facts.length + ended.length + conflicts.length;
  const opened = el("button", { type: "button", class: "small", on: { click: () => open({ source: path, title: path, lines: "L1", quote: "" }, []) } }, icon("document"), say("ingest_open"));
  return [
    el("section", { class: "notice" }, icon(deduplicated ? "about" : "proved"), el("div", {}, el("h2", {}, say(deduplicated ? "ingest_known" : "ingest_done")),
      theirs("p", path, { class: "quiet" }), el("p", { class: "quiet" }, `${say("ingest_readers")}: `, theirs("span", access.join(", "))), opened)),
    some || deduplicated ? null : el("p", { class: "quiet" }, say("ingest_no_facts")),
    conflicts.length ? el("section", { class: "notice conflict" }, icon("disagree"), el("div", {}, el("h2", {}, say("ingest_conflicts", { n: count(conflicts.length) })),
      conflicts.map((sides) => el("ul", { class: "sides" }, sides.map((one) => el("li", {}, fact(one))))))) : null,
    part("ingest_facts", facts), part("ingest_ended", ended),
  ].filter(Boolean);
}

const part = (key, some) => some.length ? el("section", { class: "changes" }, el("h2", {}, say(key, { n: count(some.length) })), el("ul", {}, some.map((one) => el("li", {}, fact(one))))) : null;

/** A fact with its words, each of which opens its document. */
function fact(one) {
  return [el("p", { class: "said" }, called(one.subject), ` ${relationWord(one.predicate)} `, called(one.object), one.qualifier ? theirs("span", one.qualifier, { class: "tag" }) : null, badge(one.status)),
    times(one),
    el("ul", { class: "quotes" }, one.words.map((words) => el("li", {}, theirs("blockquote", words.quote),
      el("button", { type: "button", class: "link", on: { click: () => open({ ...words, lines: onLine(words.lines), title: words.source }, [evidence(words)]) } }, icon("document"), " ", placeOf({ ...words, lines: onLine(words.lines) })))))];
}

/** What the message itself is called, for who has just sent it. */
const called = (name) => (/^[^\s#]+\.md#¶\d+$/.test(name) ? el("strong", {}, say("ingest_this")) : theirs("strong", name));

const onLine = (lines) => lines.replace(/^L(\d+)-\1$/, "L$1");

const evidence = ({ quote, lines }) => {
  const [first, last] = lines.slice(1).split("-").map(Number);
  return { quote, first_line: first, last_line: last || first };
};
