// Talks to the server: a question as a stream of events, or in one piece where the server does not stream.

import { fetched } from "./signin.js";

/** An error as the server tells it: `code` for programs, `message` for people, `retryAfter` in seconds (0: unknown). */
export class Refused extends Error {
  constructor(code, detail, status = 0, retryAfter = 0) {
    super(detail);
    this.code = code;
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

let streams = true;

/** GET or, with a body, POST; the JSON of the reply. Throws Refused. */
export async function call(path, body, signal) {
  return read(await sent(path, body, signal));
}

/** Asks after `turns` ({question, answer}, the oldest first); `on(name, data)` hears every event, the last is `answer`. Throws Refused, also for an `error` event. */
export async function ask(question, turns, signal, on) {
  const body = { text: question, ...(turns.length ? { history: turns } : {}) };
  if (streams) {
    const reply = await sent("/ask/stream", body, signal, "text/event-stream");
    const kind = reply.headers.get("content-type") ?? "";
    if (reply.ok && kind.startsWith("text/event-stream")) return events(reply.body, on);
    if (reply.ok) return on("answer", await read(reply));
    if (reply.status !== 404 && reply.status !== 405) return read(reply);
    streams = false;
  }
  return on("answer", await call("/ask", body, signal));
}

/** Sends an event to POST /events; `on(name, data)` hears every event of the stream, the last is `event`. Throws Refused. */
export async function tell(body, on) {
  const reply = await sent("/events", body, undefined, "text/event-stream");
  const kind = reply.headers.get("content-type") ?? "";
  if (reply.ok && kind.startsWith("text/event-stream")) return events(reply.body, on, "event");
  return on("event", await read(reply));
}

async function sent(path, body, signal, accept = "application/json") {
  const headers = { Accept: accept };
  const how = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  try {
    return await fetched(path, { ...how, headers, signal, credentials: "same-origin", cache: "no-store", redirect: "manual" }); // ours redirects nowhere, a sign-on does
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("unreachable", "");
  }
}

async function read(reply) {
  const told = await reply.json().catch(() => null);
  if (!told) throw notOurs(reply);
  if (reply.ok) return told;
  const seconds = Number(reply.headers.get("retry-after")) || 0;
  throw new Refused(told.code ?? "http_error", told.detail ?? `HTTP ${reply.status}`, reply.status, seconds);
}

/** What a proxy says in the server's place: a sign-on page, or that the sign-on has ended; 502 and the like: no server. */
function notOurs(reply) {
  return new Refused(reply.status >= 500 ? "unreachable" : "signed_out", "", reply.status);
}

async function events(body, on, last = "answer") {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  let answered = false;
  for (;;) {
    const { value, done } = await reader.read().catch((error) => {
      if (error.name === "AbortError") throw error;
      throw new Refused("broken_off", "");
    });
    waiting += (value ?? "").replace(/\r/g, "");
    const parts = waiting.split("\n\n");
    waiting = parts.pop();
    for (const part of parts) answered = heard(part, on, last) || answered;
    if (done) break;
  }
  if (!answered) throw new Refused("broken_off", "");
}

/** Tells one event on; whether it was the last one. */
function heard(part, on, last) {
  let name = "message";
  const data = [];
  for (const line of part.split("\n")) {
    const [, field, value] = /^([a-z]*): ?(.*)$/s.exec(line) ?? [];
    if (field === "event") name = value;
    else if (field === "data") data.push(value);
  }
  if (!data.length) {
    on("heartbeat", null);
    return false;
  }
  const told = JSON.parse(data.join("\n"));
  if (name === "error") throw new Refused(told.code, told.detail, 0, told.retry_after ?? 0);
  on(name, told);
  return name === last;
}
