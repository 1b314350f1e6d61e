// An answer's text -> DOM nodes: paragraphs, lists, tables, code, bold, and citations as what `cite` makes of them.
//
// Knows a small part of Markdown and makes no links and no images: those stay text. `[3]` is a citation, `\[3]` is text.

import { el } from "./dom.js";

const ITEM = /^(\s*)([-*+]|\d{1,4}[.)])\s+(.*)$/;
const FENCE = /^\s*(```+|~~~+)/;
const TABLE_RULE = /^\s*\|?\s*:?-{2,}:?\s*(\|\s*:?-{2,}:?\s*)*\|?\s*$/;
const INLINE = /\\([\\`*_[\]#|-])|(`+)([^`]|[^`][\s\S]*?[^`])\2(?!`)|(\*\*|__)(?=\S)([\s\S]*?\S)\4|(?<![\w*])(\*|_)(?=\S)([^*_]*?\S)\6(?![\w*])|\[(\d{1,4})\]/g;

/** Shows `text` in `place`; blocks that have not changed since the last call keep their nodes, so nothing flickers. */
export function render(place, text, cite) {
  const wanted = blocks(text);
  const shown = [...place.children];
  let same = 0;
  while (same < wanted.length && same < shown.length && shown[same].raw === wanted[same].raw) same += 1;
  for (const node of shown.slice(same)) node.remove();
  for (const block of wanted.slice(same)) {
    const node = block.made(cite);
    node.raw = block.raw;
    place.append(node);
  }
}

/** The text cut into blocks, each with its lines (`raw`) and how it is made. */
export function blocks(text) {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const found = [];
  let at = 0;
  while (at < lines.length) {
    if (!lines[at].trim()) {
      at += 1;
      continue;
    }
    const [end, made] = blockAt(lines, at);
    found.push({ raw: lines.slice(at, end).join("\n"), made });
    at = end;
  }
  return found;
}

function blockAt(lines, at) {
  const fence = FENCE.exec(lines[at]);
  if (fence) return fenced(lines, at, fence[1]);
  if (lines[at].includes("|") && TABLE_RULE.test(lines[at + 1] ?? "")) return table(lines, at);
  if (ITEM.test(lines[at])) return list(lines, at);
  const heading = /^\s{0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(lines[at]);
  if (heading) return [at + 1, (cite) => el("p", { dir: "auto", class: "heading" }, inline(heading[2], cite))];
  if (/^\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(lines[at])) return [at + 1, () => el("hr")];
  return paragraph(lines, at);
}

function fenced(lines, at, mark) {
  let end = at + 1;
  while (end < lines.length && !lines[end].trim().startsWith(mark)) end += 1;
  const code = lines.slice(at + 1, end).join("\n");
  return [Math.min(end + 1, lines.length), () => el("pre", { tabindex: 0 }, el("code", {}, code))];
}

function table(lines, at) {
  let end = at + 2;
  while (end < lines.length && lines[end].includes("|") && lines[end].trim()) end += 1;
  const cells = (line) => line.trim().replace(/^\||(?<!\\)\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim());
  const row = (line, kind, cite) => el("tr", {}, cells(line).map((cell) => el(kind, { dir: "auto" }, inline(cell, cite))));
  return [end, (cite) => el("div", { class: "table", tabindex: 0 }, el("table", {},
    el("thead", {}, row(lines[at], "th", cite)),
    el("tbody", {}, lines.slice(at + 2, end).map((line) => row(line, "td", cite)))))];
}

function list(lines, at) {
  let end = at + 1;
  while (end < lines.length && (ITEM.test(lines[end]) || (/^\s+\S/.test(lines[end]) && !FENCE.test(lines[end])) || inside(lines, end))) end += 1;
  const items = [];
  for (const line of lines.slice(at, end)) {
    const found = ITEM.exec(line);
    if (found) items.push({ depth: found[1].replace(/\t/g, "    ").length, mark: found[2], lines: [found[3]] });
    else if (line.trim()) continued(items[items.length - 1].lines, line);
  }
  return [end, (cite) => nested(items, cite)];
}

/** A line that goes on in an item: with the text above, or, far in, on a line of its own, as code is quoted. */
function continued(lines, line) {
  if (/^(?: {4}|\t)/.test(line)) lines.push(line.replace(/^\s{1,4}/, ""));
  else lines[lines.length - 1] += ` ${line.trim()}`;
}

/** Whether an empty line stands between two items. */
function inside(lines, at) {
  return !lines[at].trim() && ITEM.test(lines[at + 1] ?? "");
}

function nested(items, cite) {
  const numbered = /\d/.test(items[0].mark);
  const start = numbered ? parseInt(items[0].mark, 10) : 1;
  const made = el(numbered ? "ol" : "ul", { dir: "auto", start: numbered && start !== 1 ? start : null });
  let at = 0;
  while (at < items.length) {
    let end = at + 1;
    while (end < items.length && items[end].depth > items[0].depth) end += 1;
    const [first, ...more] = items[at].lines;
    const rest = more.map((line) => [el("br"), ...inline(line, cite)]);
    const below = end > at + 1 ? nested(items.slice(at + 1, end), cite) : null;
    made.append(el("li", { dir: "auto" }, inline(first, cite), rest.flat(), below));
    at = end;
  }
  return made;
}

function paragraph(lines, at) {
  let end = at + 1;
  while (end < lines.length && lines[end].trim() && !FENCE.test(lines[end]) && !ITEM.test(lines[end])
    && !/^\s{0,3}#{1,6}\s/.test(lines[end])) end += 1;
  const quote = lines.slice(at, end).every((line) => /^\s*>/.test(line));
  const parts = lines.slice(at, end).map((line) => (quote ? line.replace(/^\s*>\s?/, "") : line.trim()));
  const made = (cite) => el("p", { dir: "auto" }, parts.flatMap((part, place) => [...(place ? [el("br")] : []), ...inline(part, cite)]));
  return [end, quote ? (cite) => el("blockquote", {}, made(cite)) : made];
}

/** The nodes of a piece of text. */
export function inline(text, cite) {
  const nodes = [];
  let at = 0;
  const say = (piece) => piece && nodes.push(document.createTextNode(piece));
  for (const found of text.matchAll(INLINE)) {
    say(text.slice(at, found.index));
    at = found.index + found[0].length;
    const [whole, escaped, , code, , bold, , slanted, number] = found;
    if (escaped !== undefined) say(escaped);
    else if (code !== undefined) nodes.push(el("code", {}, code));
    else if (bold !== undefined) nodes.push(el("strong", {}, inline(bold, cite)));
    else if (slanted !== undefined) nodes.push(el("em", {}, inline(slanted, cite)));
    else nodes.push(cite(Number(number)) ?? document.createTextNode(whole));
  }
  say(text.slice(at));
  return nodes;
}
