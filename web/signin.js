// Where the server asks who comes: a box for an access token, which is kept for this tab alone and sent with each request.

import { byId, el } from "./dom.js";
import { clear } from "./history.js";
import { say } from "./words.js";

const KEY = "brain.token";
let token = read();
let asking = null; // fulfilled with whether a token was given

function read() {
  try {
    return sessionStorage.getItem(KEY) ?? "";
  } catch {
    return ""; // storage is closed to this page: the token lasts as long as the page
  }
}

function keep(text) {
  token = text;
  try {
    if (text) sessionStorage.setItem(KEY, text);
    else sessionStorage.removeItem(KEY);
  } catch {
    // as above
  }
  byId("sign-out").hidden = !text;
}

/** `fetch` with the token. Where the server asks for one, so does this, unless it is `quiet`, and then sends it again. */
export async function fetched(path, options = {}, quiet = false) {
  for (;;) {
    const used = token;
    const headers = { ...options.headers, ...(used ? { Authorization: `Bearer ${used}` } : {}) };
    const reply = await fetch(path, { ...options, headers });
    if (reply.status !== 401 || quiet || !(await given(used))) return reply;
  }
}

/** Wires the button that forgets the token, and what this tab was told with it. */
export function ready() {
  byId("sign-out").hidden = !token;
  byId("sign-out").addEventListener("click", () => {
    keep("");
    clear();
    location.assign(location.pathname);
  });
}

/** Whether there is another token than the one that was refused, asked for if need be. */
async function given(refused) {
  if (token && token !== refused) return true;
  keep(""); // one that was refused is not sent again
  asking ??= asked(Boolean(refused)).finally(() => {
    asking = null;
  });
  return asking;
}

function asked(wasWrong) {
  const box = byId("sign-in");
  const field = el("input", { id: "token", type: "password", autocomplete: "off", spellcheck: "false", maxlength: 16000, dir: "ltr", "aria-describedby": "token-wrong" });
  const wrong = el("p", { id: "token-wrong", class: "wrong", role: "alert" }, wasWrong && say("sign_in_wrong"));
  return new Promise((done) => {
    let found = false;
    const sent = (event) => {
      event.preventDefault();
      const text = field.value.trim();
      if (!/^[!-~]+$/.test(text)) {
        wrong.textContent = say("sign_in_wrong");
        field.focus();
        return;
      }
      keep(text);
      found = true;
      box.close();
    };
    box.replaceChildren(el("form", { on: { submit: sent } },
      el("h2", { id: "sign-in-title" }, say("sign_in")),
      el("p", { class: "quiet" }, say("sign_in_more")),
      el("div", { class: "field" }, el("label", { for: "token" }, say("sign_in_token")), field), wrong,
      el("div", { class: "row" },
        el("button", { type: "button", class: "link", on: { click: () => box.close() } }, say("cancel")),
        el("button", { class: "primary" }, say("sign_in")))));
    box.addEventListener("close", () => {
      box.replaceChildren();
      done(found);
    }, { once: true });
    box.showModal();
    field.focus();
  });
}
