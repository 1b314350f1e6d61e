// What a reader must know beside the answer: review, conflicts, notes; what people think of it; and what went wrong.

import { announce, el, theirs } from "./dom.js";
import { icon } from "./icons.js";
import { call } from "./stream.js";
import { datedText, placeText, say } from "./words.js";

const MODEL = ["model_unavailable", "model_missing", "prompt_too_long", "bad_reply"];
const BESIDE = ["not_addressed", "not_mentioned", "follow_up"];
let judged = true; // until the server says that it keeps no judgements

export function review(answer) {
  const errors = answer.problems.filter((problem) => problem.severity === "error" && problem.code !== "conflict");
  if (!errors.length) return null;
  return el("section", { class: "notice warn" }, icon("warning"),
    el("div", {}, el("h2", {}, say("needs_review")), el("p", {}, say("review_why")),
      el("ul", {}, errors.map((problem) => theirs("li", problem.text)))));
}

/** Why this may be no answer, a sentence each: told at the top. */
export const besides = (answer) => answer.problems.filter((problem) => BESIDE.includes(problem.code)).map((problem) => problem.text);

export function notes(answer) {
  const found = answer.problems.filter((problem) => problem.severity === "notice" && !BESIDE.includes(problem.code));
  if (!found.length) return null;
  return el("section", { class: "notes" }, el("h2", {}, say("notes")), el("ul", {}, found.map((problem) => theirs("li", problem.text))));
}

/** Whether nothing else is wrong than that the documents disagree: then the headline says so. */
export const onlyConflicts = (answer) => answer.conflicts?.length > 0
  && answer.problems.every((problem) => problem.severity !== "error" || problem.code === "conflict");

/** What became of an answer, the key of its word: "conflict", "not_found", "needs_review", "beside", or "" for answered. */
export function outcome(answer) {
  if (onlyConflicts(answer)) return "conflict";
  if (answer.status === "not_found") return "not_found";
  if (answer.needs_review) return "needs_review";
  return besides(answer).length ? "beside" : "";
}

/** The answer's text without the blocks at its end that tell the conflicts: `conflicts` shows them. */
export function withoutConflicts(answer) {
  const blocks = answer.answer.split("\n\n");
  for (const { sides } of [...answer.conflicts ?? []].reverse()) {
    const lines = blocks[blocks.length - 1].split("\n").slice(1);
    if (blocks.length > 1 && lines.length === sides.length && lines.every((line) => line.startsWith("- "))) blocks.pop();
  }
  return blocks.join("\n\n");
}

/** Whether it is known which side is the newest: a file's time is no date of what it says. */
const isDated = ({ sides }) => sides.every((side) => side.dated) && sides[0].dated > sides[1].dated;

/** The sides of each conflict beside each other; `cite` makes the button of a source's number. */
export function conflicts(answer, cite) {
  if (!answer.conflicts?.length) return null;
  return el("section", { class: "notice conflict" }, icon("disagree"),
    el("div", {}, onlyConflicts(answer) ? null : el("h2", {}, say("conflict")), el("p", {}, say(answer.conflicts.every(isDated) ? "conflict_why" : "conflict_undated")),
      answer.conflicts.map((conflict) => el("ul", { class: "sides" }, conflict.sides.map((side, place) => el("li", {},
        el("p", { class: "side-head" }, theirs("strong", side.value), place === 0 && isDated(conflict) ? el("span", { class: "badge" }, say("newest")) : null),
        theirs("blockquote", side.quote),
        el("p", { class: "quiet" }, datedText(side) || say("undated"), side.place ? ` · ${placeText(side.place)}` : "", " ", cite(side.n, [side]))))))));
}

/** The buttons with which a person judges an answer. */
export function feedback(answer) {
  if (!judged) return null;
  const place = el("div", { class: "feedback", role: "group", "aria-label": say("judge") });
  const wants = answer.status === "not_found"
    ? [["should_be_found", "flag", "should_be_found"], ["wrong", "document", "is_in_documents"]] : [["right", "yes", "right"], ["wrong", "no", "wrong"]];
  const buttons = wants.map(([verdict, drawn, word]) =>
    el("button", { type: "button", class: "small", on: { click: () => place.replaceChildren(...noteForm(place, answer, verdict, word, buttons)) } }, icon(drawn), say(word)));
  place.append(...buttons);
  return place;
}

function noteForm(place, answer, verdict, word, buttons) {
  const note = el("textarea", { id: "note", rows: 2, maxlength: 1000, dir: "auto", name: "note" });
  const back = () => {
    place.replaceChildren(...buttons);
    buttons[0].focus();
  };
  const form = el("form", { class: "note", on: {
    submit: (event) => {
      event.preventDefault();
      send(place, answer, verdict, note.value.trim());
    },
    keydown: (event) => {
      if (event.key === "Escape") {
        event.preventDefault();
        back();
      }
    } } },
  el("label", { for: "note" }, say(word), " – ", say("note")), note,
  el("div", { class: "row" }, el("button", { class: "small primary" }, say("note_send")), el("button", { type: "button", class: "small", on: { click: back } }, say("cancel"))));
  requestAnimationFrame(() => note.focus());
  return [form];
}

async function send(place, answer, verdict, note) {
  try {
    await call("/feedback", { answer: answer.id, verdict, note });
    place.replaceChildren(el("p", { class: "quiet", tabindex: -1 }, icon("yes"), say("thanks")));
    announce(say("thanks"));
  } catch (error) {
    if (error.code === "no_such_path") {
      judged = false;
      place.remove();
      return;
    }
    place.querySelector(".failed")?.remove();
    place.append(theirs("p", say("feedback_failed", { why: error.code === "signed_out" ? say("error_signed_out") : error.message }), { class: "failed", role: "alert" }));
  }
}

/** What to show in place of an answer when the server refuses or is away. */
export function failure(error, again) {
  const known = MODEL.includes(error.code) ? "error_model" : `error_${error.code}`;
  const signedOut = error.code === "signed_out"; // asking again would meet the same page
  const ours = ["error_signed_out", "error_unreachable", "error_broken_off", "error_busy", "error_not_ready", "error_model"].includes(known) ? say(known) : "";
  const words = error.code === "unauthenticated" ? say("state_sign_in") : ours;
  return el("section", { class: "notice bad", role: "alert" }, icon("warning"),
    el("div", {}, el("h2", {}, say("error")), words ? el("p", {}, words) : null,
      error.message && !["busy", "unauthenticated"].includes(error.code) ? theirs("p", error.message, { class: words ? "quiet" : "" }) : null,
      el("button", { type: "button", class: "small", on: { click: signedOut ? () => location.reload() : again } }, say(signedOut ? "reload" : "again"))));
}
