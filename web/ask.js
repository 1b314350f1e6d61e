// The question and its answer: asks, shows what arrives as it arrives, and then what the checked answer says.

import { asText, toClipboard } from "./copy.js";
import { announce, byId, el, later, theirs } from "./dom.js";
import { badge, howFound, isFromFacts } from "./facts.js";
import * as history from "./history.js";
import { icon } from "./icons.js";
import { kindOf, mark, markButton, reasonOf, unmark } from "./marks.js";
import { nearestSection, nearestTo, passageCard } from "./nearest.js";
import { besides, conflicts, failure, feedback, notes, outcome, review, withoutConflicts } from "./problems.js";
import { render } from "./render.js";
import { close, open } from "./source.js";
import { ask } from "./stream.js";
import { dateAsText, number, say } from "./words.js";

const QUIET = 4000; // milliseconds without a word before the model is said to be loading
const KINDS = ["proved", "unproved", "uncited", "about"];
let running = null;

/** Asks after the answers `before` (their ids) and shows; the answer is kept under `id`. Resolves when it is there, was stopped or failed. */
export async function run(question, id, before = []) {
  running?.abort();
  const control = new AbortController();
  running = control;
  const view = new View(question, () => control.abort());
  const quiet = later(QUIET, () => view.stage("loading"));
  let nearest;
  try {
    await ask(question, history.turns(before), control.signal, (name, data) => {
      if (running !== control) return;
      if (name === "search" && data.nearest) nearest = data.nearest;
      if (name === "search" || name === "route") quiet.begin(); // both come before the model is asked
      else if (name !== "heartbeat") quiet.end();
      view.hear(name, data);
    });
    if (running !== control) return;
    const answer = view.answer;
    const near = answer.status === "not_found" ? await nearestTo(answer.asked || question, nearest) : [];
    history.keep({ id, question, answer, nearest: near });
    if (running === control) view.finish(answer, near);
  } catch (error) {
    if (running === control) view.fail(error, () => run(question, id, before));
  } finally {
    quiet.end();
    if (running === control) running = null;
  }
}

/** Shows an answer of this session again. */
export function restore(entry) {
  running?.abort();
  running = null;
  new View(entry.question, () => {}).finish(entry.answer, entry.nearest ?? []);
}

/** Ends the question at work, if any, and shows none. */
export function leave() {
  running?.abort();
  running = null;
  close();
}

class View {
  constructor(question, stop) {
    close();
    this.text = "";
    this.claims = [];
    this.sources = new Map();
    this.answer = null;
    this.question = question;
    this.parts = {
      asked: theirs("h1", question, { class: "unseen" }), // the box above shows it
      status: el("p", { class: "status" }),
      text: el("div", { class: "text", dir: "auto", "aria-busy": "true" }),
      below: el("div", { class: "below" }),
    };
    this.stopButton = el("button", { type: "button", class: "small", on: { click: stop } }, icon("stop"), say("stop"));
    this.parts.text.append(el("div", { class: "waiting", "aria-hidden": "true" }, el("span"), el("span"), el("span")));
    this.article = el("article", { class: "answer working" }, this.parts.asked, el("div", { class: "statusline" }, this.parts.status, this.stopButton), this.parts.text, this.parts.below);
    byId("result").replaceChildren(this.article);
    this.stage("searching");
  }

  stage(key) {
    if (this.parts.status.dataset.stage === key) return;
    this.parts.status.dataset.stage = key;
    this.parts.status.replaceChildren(el("span", { class: "pulse", "aria-hidden": "true" }), say(key));
    announce(say(key));
  }

  hear(name, data) {
    if (name === "asked") this.understood(data.question);
    else if (name === "search") this.found(data);
    else if (name === "token") this.token(data.text);
    else if (name === "claim") this.claim(data);
    else if (name === "retry") this.retry();
    else if (name === "answer") this.answer = data;
  }

  /** How a follow-up was understood: what is answered below. */
  understood(question) {
    this.parts.asked.after(el("p", { class: "understood" }, say("understood"), " ", theirs("strong", question)));
  }

  found({ passages = [] }) {
    passages.forEach((passage, place) => this.sources.set(place + 1, { n: place + 1, ...passage }));
    if (!passages.length) return;
    this.stage("reading");
    const names = [...new Set(passages.map((passage) => passage.title || passage.source))];
    this.parts.below.replaceChildren(el("p", { class: "foundin quiet" }, say("found_in"), " ", names.flatMap((name) => [theirs("span", name, { class: "tag" }), " "])));
  }

  token(text) {
    this.text += text;
    this.stage("writing");
    if (this.drawing) return;
    this.drawing = requestAnimationFrame(() => {
      this.drawing = 0;
      this.draw();
    });
  }

  claim({ index, claim }) {
    unmark(this.claims[index]?.node); // told before: this one replaces it
    this.claims[index] = { claim };
    this.draw();
  }

  retry() {
    this.text = "";
    this.claims = [];
    this.parts.text.style.minHeight = `${this.parts.text.offsetHeight}px`; // what follows stays where it is
    this.draw();
    this.stage("rewriting");
  }

  /** Draws the text so far; a claim whose block was drawn anew is marked again. */
  draw() {
    if (!this.text) {
      if (!this.parts.text.querySelector(".waiting")) this.parts.text.replaceChildren();
      return;
    }
    render(this.parts.text, this.text, (n) => this.cite(n));
    for (const one of this.claims.filter(Boolean)) {
      if (!one.node?.isConnected) one.node = mark(this.parts.text, one.claim, (claim, button) => this.explain(claim, button));
    }
  }

  cite(n, evidence) {
    const source = this.sources.get(n);
    if (!source) return null;
    const button = el("button", { type: "button", class: "cite", "aria-label": say("cite", { n, title: source.title || source.source }), title: source.title || source.source, on: {
      click: () => open(source, evidence ?? this.evidence(n, button)) } }, n);
    return button;
  }

  /** What supports the claim that a citation stands behind; where that is not known, all that its source supports. */
  evidence(n, button) {
    const claims = this.claims.filter(Boolean);
    const all = claims.flatMap(({ claim }) => claim.evidence).filter((one) => one.n === n);
    const next = button?.nextElementSibling?.closest(".mark, .cite");
    const mine = claims.find(({ node }) => node && (node === next || node === next?.nextElementSibling));
    const own = mine?.claim.evidence.filter((one) => one.n === n) ?? [];
    return own.length ? own : all;
  }

  explain(claim, button) {
    const [first] = claim.evidence;
    const source = first && this.sources.get(first.n);
    if (kindOf(claim) === "proved" && source) {
      open(source, claim.evidence.filter((one) => one.n === first.n));
      return;
    }
    const block = button.closest(".text > *, .left li") ?? button;
    const shown = block.nextElementSibling;
    if (shown?.matches(".why")) shown.remove();
    const opens = button.getAttribute("aria-expanded") !== "true";
    for (const other of this.article.querySelectorAll(".mark[aria-expanded=true]")) other.setAttribute("aria-expanded", "false");
    button.setAttribute("aria-expanded", String(opens));
    if (opens) block.after(el("p", { class: "why", dir: "auto", role: "status" }, icon(kindOf(claim)), el("strong", {}, say(`mark_${kindOf(claim)}`)), " ", reasonOf(claim)));
  }

  finish(answer, nearest) {
    cancelAnimationFrame(this.drawing);
    this.answer = answer;
    this.text = withoutConflicts(answer);
    this.sources = new Map(answer.sources.map((source) => [source.n, source]));
    this.claims = answer.claims.map((claim) => ({ claim }));
    this.parts.text.replaceChildren();
    this.parts.text.removeAttribute("aria-busy");
    this.parts.text.style.minHeight = "";
    this.parts.below.replaceChildren();
    this.draw();
    badge(this.claims, answer);
    this.stopButton.remove();
    this.article.classList.remove("working");
    this.article.dataset.status = answer.status;
    if (answer.problems.some((problem) => problem.code === "follow_up")) byId("anew").hidden = true; // nothing was gone on from
    if (answer.asked && !this.article.querySelector(".understood")) this.understood(answer.asked);
    this.told(answer);
    const left = this.claims.filter(({ node }) => !node).map(({ claim }) => claim);
    const parts = [this.leftOver(left), review(answer), conflicts(answer, (n, sides) => this.cite(n, sides)), nearestSection(nearest), howFound(answer), this.sourceList(answer), this.actions(answer), nextQuestions(answer), notes(answer), made(answer)];
    this.parts.below.replaceChildren(...parts.filter(Boolean));
    announce(`${say("answer_ready")} ${this.parts.status.textContent}`);
  }

  /** The lines above the answer: what became of it, how many sentences have which mark, why it may be no answer. */
  told(answer) {
    const counts = new Map(KINDS.map((kind) => [kind, answer.claims.filter((claim) => kindOf(claim) === kind).length]));
    const proved = answer.claims.length > 0 && counts.get("proved") === answer.claims.length;
    const [key, drawn] = this.headline(answer, proved);
    const counted = proved ? [] : KINDS.filter((kind) => counts.get(kind)).map((kind) => el("span", { class: `count mark-${kind}` }, icon(kind), `${say(`mark_${kind}`)}: ${counts.get(kind)}`));
    const why = besides(answer);
    this.parts.status.dataset.stage = key;
    this.parts.status.replaceChildren(icon(drawn), el("strong", {}, say(key)), ...counted, ...why.map((text) => theirs("span", text, { class: "beside" })));
  }

  /** The key of the headline and its drawing. */
  headline(answer, proved) {
    const key = outcome(answer);
    if (key) return [key, { conflict: "disagree", not_found: "empty" }[key] ?? "warning"];
    if (!proved) return ["answered_mostly", "about"];
    if (isFromFacts(answer)) return ["answered", "proved"];
    const rows = answer.claims.some((claim) => claim.evidence.some(({ quote }) => /^\s*\|/.test(quote))); // put into words
    return [answer.attempts ? "answered" : rows ? "quoted_rows" : "quoted", "proved"];
  }

  leftOver(claims) {
    if (!claims.length) return null;
    return el("section", { class: "left" }, el("h2", {}, say("elsewhere")), el("ul", {}, claims.map((claim) => {
      const kind = kindOf(claim);
      const button = markButton(claim, kind, () => this.explain(claim, button));
      return el("li", { dir: "auto" }, claim.text, " ", button);
    })));
  }

  sourceList(answer) {
    if (!answer.sources.length) return null;
    return el("section", { class: "sources" }, el("h2", {}, say("sources")), el("ol", { class: "cards" }, answer.sources.map((source) =>
      el("li", {}, passageCard(source, source.n, this.evidence(source.n))))));
  }

  actions(answer) {
    const copy = el("button", { type: "button", class: "small", on: { click: () => this.copy(copy, answer) } }, icon("copy"), el("span", {}, say("copy")));
    return el("div", { class: "actions" }, answer.status === "not_found" ? null : copy, feedback(answer));
  }

  async copy(button, answer) {
    const key = await toClipboard(asText(answer.asked || this.question, answer)).then(() => "copied", () => "copy_failed");
    button.lastElementChild.textContent = say(key);
    announce(say(key));
    setTimeout(() => { button.lastElementChild.textContent = say("copy"); }, 2500);
  }

  fail(error, again) {
    cancelAnimationFrame(this.drawing);
    this.stopButton.remove();
    this.article.classList.remove("working");
    this.parts.text.removeAttribute("aria-busy");
    this.parts.text.querySelector(".waiting")?.remove();
    if (error.name === "AbortError") {
      this.parts.status.replaceChildren(icon("stop"), el("strong", {}, say("stopped")));
      this.parts.below.replaceChildren(el("button", { type: "button", class: "small", on: { click: again } }, say("again")));
      return;
    }
    this.parts.status.parentElement.hidden = true;
    this.parts.text.hidden = true;
    this.parts.below.replaceChildren(failure(error, again));
  }
}

/** Questions that can be asked next, each at its address: they stand alone, so they begin a conversation. */
function nextQuestions(answer) {
  if (!answer.next?.length) return null;
  const address = (text) => {
    const there = new URL(location.href);
    there.searchParams.set("q", text);
    return `${there.pathname}${there.search}`;
  };
  return el("section", { class: "next" }, el("h2", {}, say("next")), el("ul", {}, answer.next.map((text) =>
    el("li", {}, theirs("a", text, { class: "example", href: address(text), "data-here": true })))));
}

/** How the answer was made, for those who ask. */
function made(answer) {
  const rows = [
    ["how_cached", answer.cached ? dateAsText(answer.made_at) : ""],
    ["how_model", answer.model.replace(/[@-][0-9a-f]{8,}/g, "")],
    ["how_seconds", number(answer.timings.total ?? 0, 1)],
    ["how_attempts", answer.attempts ? number(answer.attempts, 0) : ""],
    ["how_limit", number(answer.limit.min_score)],
    ["how_confidence", answer.confidence === null ? "" : number(answer.confidence)],
  ].filter(([, text]) => text);
  return el("details", { class: "made" }, el("summary", {}, say("how")), el("dl", {}, rows.flatMap(([key, text]) => [el("dt", {}, say(key)), theirs("dd", text)])));
}
