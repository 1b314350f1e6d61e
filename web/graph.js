// /graph: what the documents name and how it hangs together, drawn or listed, as of a day; the address says what is shown.

import { drawing } from "./canvas.js";
import { count, relationWord, typeWord } from "./facts-words.js";
import { announce, byId, el, later, theirs } from "./dom.js";
import { card, list, way } from "./graph-parts.js";
import { icon } from "./icons.js";
import { links } from "./links.js";
import { wireTheme } from "./looks.js";
import { failure } from "./problems.js";
import { KINDS, shape } from "./shapes.js";
import { ready as signInReady } from "./signin.js";
import { close as closeSource, ready as sourceReady } from "./source.js";
import { call } from "./stream.js";
import { choose, dateAsText, fill, say } from "./words.js";

const LIMIT = 2000; // things of one map
const YEARS = 3; // that the slider goes back at least
const QUIET = 250; // milliseconds without a change before the server is asked
const APART = ["Message"]; // kinds that are shown when they are asked for
const UNTYPED = "-"; // in the address
let wanted = {}; // what the address says
let map = null;
let canvas = null;
let months = []; // of the slider, the last is today
let turn = 0;
let hasUntyped = false; // whether a thing without a kind was seen: then there is a box for these, too
let shownFor = ""; // the choice whose places are on the canvas

start();

function start() {
  const asked = new URLSearchParams(location.search).get("lang");
  choose([...(asked ? [asked] : []), ...navigator.languages]);
  fill(document);
  document.title = `${say("tab_graph")} – ${say("title")}`;
  byId("fit").append(icon("whole"));
  document.querySelector(".swatches").append(...KINDS.map(shape));
  wireTheme();
  sourceReady();
  signInReady();
  wire();
  canvas = drawing(byId("canvas"), (key) => go({ thing: key, a: "", b: "" }));
  addEventListener("popstate", show);
  links();
  show();
}

function wire() {
  byId("find-form").addEventListener("submit", (event) => {
    event.preventDefault();
    find(byId("find").value).then((one) => one && go({ thing: one.key, around: map.nodes.some((node) => node.key === one.key) ? wanted.around : one.key, a: "", b: "" }));
  });
  byId("way-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    const [a, b] = [await find(byId("way-a").value), await find(byId("way-b").value)];
    if (a && b) go({ a: a.key, b: b.key, thing: "" });
  });
  for (const view of ["map", "list"]) byId(`as-${view}`).addEventListener("click", () => go({ view }, true));
  const asked = later(QUIET, () => go({ as_of: months[Number(byId("as-of").value)] ?? "" }, true));
  byId("as-of").addEventListener("input", () => {
    tellTime(months[Number(byId("as-of").value)] ?? "");
    asked.begin();
  });
  byId("merged").addEventListener("change", (event) => go({ merged: event.target.checked ? "" : "0" }, true));
  byId("nearer").addEventListener("click", () => canvas.zoom(1.4));
  byId("farther").addEventListener("click", () => canvas.zoom(1 / 1.4));
  byId("fit").addEventListener("click", () => canvas.fit());
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && (wanted.thing || wanted.a)) go({ thing: "", a: "", b: "" });
  });
}

/** The thing of this name: of the map, else of all that there are. */
async function find(text) {
  const typed = text.trim();
  if (!typed) return null;
  const plain = typed.toLowerCase();
  const held = map?.nodes ?? [];
  const one = held.find((node) => nameOf(node) === typed) ?? held.find((node) => node.name.toLowerCase() === plain);
  if (one) return one;
  try {
    const { things } = await call(`/graph/things?limit=1&text=${encodeURIComponent(typed)}`);
    if (things.length) return things[0];
  } catch (error) {
    tell(failure(error, () => find(text)));
    return null;
  }
  tell(el("p", { class: "notice", role: "alert" }, say("graph_unknown")));
  return null;
}

const nameOf = (node) => `${node.name} · ${typeWord(node.type)}`;

function tell(node) {
  byId("chosen").replaceChildren(node);
  byId("chosen").hidden = false;
}

/** Changes the address by this and shows what it says; `quietly`: it is no step to go back to. */
function go(change, quietly = false) {
  const parts = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...wanted, ...change })) if (value) parts.set(name, value);
  window.history[quietly ? "replaceState" : "pushState"]({}, "", `/graph${parts.size ? `?${parts}` : ""}`);
  show();
}

async function show() {
  wanted = Object.fromEntries(new URLSearchParams(location.search));
  closeSource();
  turn += 1;
  const mine = turn;
  const narrow = matchMedia("(max-width: 48rem)").matches;
  const view = ["map", "list"].includes(wanted.view) ? wanted.view : narrow ? "list" : "map";
  for (const name of ["map", "list"]) byId(`as-${name}`).setAttribute("aria-pressed", String(name === view));
  byId("drawn").hidden = view !== "map";
  byId("listed").hidden = view !== "list";
  byId("merged").checked = wanted.merged !== "0";
  const stage = byId("stage");
  stage.setAttribute("aria-busy", "true");
  try {
    const told = await call(`/graph/map?${query()}`);
    if (mine !== turn) return;
    map = told;
    drawn(view);
    await chosen(mine);
  } catch (error) {
    if (mine !== turn) return;
    tell(failure(error, show));
  }
  if (mine === turn) stage.removeAttribute("aria-busy");
}

function query() {
  const parts = new URLSearchParams({ limit: String(LIMIT) });
  for (const name of ["types", "relations"]) for (const one of wanted[name]?.split(",") ?? []) parts.append(name, one === UNTYPED ? "" : one);
  for (const name of ["as_of", "around"]) if (wanted[name]) parts.set(name, wanted[name]);
  if (wanted.merged === "0") parts.set("merged", "false");
  return parts;
}

function drawn(view) {
  const choice = [wanted.types, wanted.relations, wanted.around, wanted.merged].join("\n");
  canvas.set(map, choice !== shownFor);
  shownFor = choice;
  controls();
  byId("names").replaceChildren(...map.nodes.map((node) => el("option", { value: nameOf(node) })));
  const none = !map.types.length ? say("graph_empty") : map.nodes.length ? "" : say("graph_none");
  const counts = none || say("graph_counts", { n: count(map.nodes.length), ties: count(map.edges.length) });
  const cut = map.more ? ` · ${say("graph_cut", { total: count(map.nodes.length + map.more) })}` : "";
  const center = wanted.around && (map.nodes.find((node) => node.key === wanted.around)?.name ?? wanted.around);
  byId("told").replaceChildren(...[center ? theirs("strong", say("graph_around_now", { name: center })) : null, center ? " · " : null, counts + cut,
    center ? " · " : null, center ? el("button", { type: "button", class: "link", on: { click: () => go({ around: "" }) } }, say("graph_whole")) : null].filter(Boolean));
  if (view === "list") byId("listed").replaceChildren(...list(map, (key) => go({ thing: key, a: "", b: "" })));
  announce(counts + cut);
}

/** What can be chosen: kinds and relations of which there is anything, and the months since the first that is stated. */
function controls() {
  hasUntyped ||= map.nodes.some((node) => !node.type);
  const types = [...KINDS, ...map.types.filter((type) => !KINDS.includes(type))].filter((type) => type && map.types.includes(type));
  if (hasUntyped) types.push(UNTYPED);
  const ticked = wanted.types ? wanted.types.split(",") : types.filter((type) => !APART.includes(type));
  boxes(byId("types"), types, ticked, (type) => [shape(type), theirs("span", typeWord(type === UNTYPED ? "" : type))], (some) => go({ types: same(some, types.filter((type) => !APART.includes(type))) ? "" : some.join(",") }, true));
  const some = wanted.relations?.split(",") ?? [];
  boxes(byId("relations").querySelector("fieldset"), map.relations, some, (one) => [theirs("span", relationWord(one))], (now) => go({ relations: now.join(",") }, true));
  byId("relations-word").textContent = some.length ? say("graph_relations_some", { n: count(some.length), total: count(map.relations.length) }) : say("graph_relations");
  time();
}

const same = (one, other) => one.length === other.length && one.every((name) => other.includes(name));

/** Boxes to tick in a fieldset; made anew only where there are others, so that the focus stays. */
function boxes(place, names, ticked, look, changed) {
  const held = [...place.querySelectorAll("input")];
  if (!same(held.map((box) => box.value), names)) {
    const tick = () => changed([...place.querySelectorAll("input:checked")].map((box) => box.value));
    place.querySelectorAll("label").forEach((label) => label.remove());
    place.append(...names.map((name) => el("label", { class: "chip" }, el("input", { type: "checkbox", value: name, on: { change: tick } }), look(name))));
  }
  for (const box of place.querySelectorAll("input")) box.checked = ticked.includes(box.value);
}

function time() {
  const slider = byId("as-of");
  const now = new Date();
  if (!months.length) {
    const first = map.edges.map((edge) => edge.valid_from.slice(0, 4)).filter(Boolean).sort()[0] ?? "";
    let year = Math.min(now.getFullYear() - YEARS, Number(first) || Infinity);
    year = Math.max(year, now.getFullYear() - 30);
    for (let month = 0; year * 12 + month < now.getFullYear() * 12 + now.getMonth() + 1; month += 1) months.push(`${year + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, "0")}`);
    months.push("");
    slider.max = String(months.length - 1);
  }
  const at = months.indexOf(wanted.as_of?.slice(0, 7) ?? "");
  slider.value = String(at < 0 ? months.length - 1 : at);
  tellTime(wanted.as_of ?? "");
}

function tellTime(month) {
  const text = month ? dateAsText(month.length === 7 ? `${month}-01` : month) : say("graph_now");
  byId("as-of-word").textContent = text;
  byId("as-of").setAttribute("aria-valuetext", text);
}

/** The card of the chosen thing, or the way between two. */
async function chosen(mine) {
  const place = byId("chosen");
  const before = place.dataset.shown;
  const held = document.activeElement;
  const to = { thing: (key) => go({ thing: key, a: "", b: "" }), around: (key) => go({ around: key, thing: key }), from: wayFrom, close: () => go({ thing: "", a: "", b: "" }) };
  let nodes = [];
  if (wanted.a && wanted.b) {
    byId("way").open = true;
    const found = await way(wanted, map, to);
    if (mine !== turn) return;
    [byId("way-a").value, byId("way-b").value] = found.names;
    nodes = found.nodes;
    canvas.mark("", found.keys);
  } else {
    nodes = wanted.thing ? await card(wanted, to) : [];
    if (mine !== turn) return;
    canvas.mark(wanted.thing ?? "");
    if (wanted.thing) canvas.show(wanted.thing);
  }
  place.hidden = !nodes.length;
  place.dataset.shown = wanted.thing || wanted.a || "";
  place.replaceChildren(...nodes);
  if (place.dataset.shown && place.dataset.shown !== before && held !== byId("canvas")) {
    place.focus({ preventScroll: !matchMedia("(max-width: 60rem)").matches });
    announce(place.querySelector("h2")?.textContent ?? "");
  } else if (!place.dataset.shown && before && document.activeElement === document.body) byId("main").focus({ preventScroll: true });
}

function wayFrom(name) {
  byId("way").open = true;
  byId("way-a").value = name;
  byId("way-b").value = "";
  byId("way-b").focus();
}
