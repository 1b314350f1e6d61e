// Makes elements. All text goes in as text nodes: what documents, models or people wrote can never become markup.

const SVG = "http://www.w3.org/2000/svg";

/** An element with properties (`class`, `on` for listeners, `data`, any attribute) and children (nodes or strings). */
export function el(name, options = {}, ...children) {
  return filled(document.createElement(name), options, children);
}

/** The same for SVG. */
export function svg(name, options = {}, ...children) {
  return filled(document.createElementNS(SVG, name), options, children);
}

function filled(node, options, children) {
  for (const [key, value] of Object.entries(options)) {
    if (value === null || value === undefined || value === false) continue;
    if (key === "on") for (const [kind, listener] of Object.entries(value)) node.addEventListener(kind, listener);
    else if (key === "data") Object.assign(node.dataset, value);
    else node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Text that a person, a document or a model wrote: its own direction, whatever the page's is. */
export function theirs(name, text, options = {}) {
  return el(name, { dir: "auto", ...options }, String(text));
}

export const byId = (id) => document.getElementById(id);

/** Calls `work` once the page has been quiet for so many milliseconds. */
export function later(milliseconds, work) {
  let timer = 0;
  return { begin: () => { clearTimeout(timer); timer = setTimeout(work, milliseconds); }, end: () => clearTimeout(timer) };
}

/** Says something to screen readers, without moving the focus. */
export function announce(text) {
  const region = byId("live");
  if (region) region.textContent = text;
}
