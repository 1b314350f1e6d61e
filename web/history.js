// The questions of this session, newest first: kept in this tab alone and gone when it is closed.

const KEY = "brain.history";
const MOST = 30;
const MOST_TURNS = 6; // that the server takes
const MOST_CHARS = 1500; // of each answer: what a follow-up points at is named early
let entries = read();

function read() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept : [];
  } catch {
    return []; // storage is closed to this page, or holds something else
  }
}

function write() {
  for (;;) {
    try {
      sessionStorage.setItem(KEY, JSON.stringify(entries));
      return;
    } catch {
      if (entries.length < 2 || !canStore()) return;
      entries = entries.slice(0, -1); // full: the oldest goes
    }
  }
}

function canStore() {
  try {
    return Boolean(sessionStorage);
  } catch {
    return false;
  }
}

export const past = () => entries;
export const find = (id) => entries.find((entry) => entry.id === id);

/** The conversation as the server takes it: the answers of these ids, the oldest first, as far as they are still kept. */
export const turns = (ids) => ids.map(find).filter(Boolean).slice(-MOST_TURNS).map(({ question, answer }) =>
  ({ question: answer.asked || question, answer: answer.answer.slice(0, MOST_CHARS).replace(/[\ud800-\udbff]$/, "") }));

/** Keeps `{id, question, answer, nearest}`. */
export function keep(entry) {
  entries = [entry, ...entries.filter((other) => other.question !== entry.question || other.answer.asked !== entry.answer.asked)].slice(0, MOST);
  write();
}

export function clear() {
  entries = [];
  write();
}
