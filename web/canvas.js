// The map as a drawing: moved by pointer, wheel and keys, each thing by its shape. Knows no server and no words.

import { later } from "./dom.js";
import { kindOf, KINDS, trace } from "./shapes.js";

const MOST_LABELS = 90;
const NEAREST = 90; // pixels of one unit of the map, at most
const STEP = 60; // pixels of an arrow key
const CALM = 140; // milliseconds without a move, after which a large map is drawn with all its marks
const LARGE = 1200; // ties; dashes of more take most of a frame where no graphics card draws them
const DASHES = { disputed: [7, 4], stale: [2, 4], inferred: [1, 3] };

/** A drawing on the canvas; `choose(key)` hears what was pressed, "" for nothing. */
export function drawing(canvas, choose) {
  const pen = canvas.getContext("2d");
  const touches = new Map();
  let nodes = [];
  let edges = [];
  let at = new Map(); // place in nodes, by key
  let look = {}; // colours
  let scale = 1;
  let left = 0;
  let top = 0;
  let chosen = "";
  let near = new Set();
  let way = null; // {nodes, pairs} of a path
  let hover = -1;
  let asked = 0;
  let moves = false; // while it is moved, a large map is drawn plainer
  let size = [0, 0];

  const x = (node) => node.x * scale + left;
  const y = (node) => node.y * scale + top;
  const radius = (node) => Math.min(14, (4 + Math.sqrt(node.degree) * 1.4) * Math.min(1.25, Math.max(0.4, scale / 14)));
  const calm = later(CALM, () => { moves = false; soon(); });
  const soon = () => { asked ||= requestAnimationFrame(draw); };

  function colours() {
    const of = (selector) => getComputedStyle(document.querySelector(selector)).color;
    look = { ink: of("body"), soft: of("#told"), kinds: Object.fromEntries(KINDS.map((kind) => [kind, of(`.swatches .shape-${kind || "other"}`)])) };
    const other = getComputedStyle(canvas);
    look = { ...look, bad: other.getPropertyValue("outline-color"), paper: other.backgroundColor, line: other.borderTopColor };
    soon();
  }

  function draw() {
    asked = 0;
    const sharp = devicePixelRatio || 1;
    pen.setTransform(sharp, 0, 0, sharp, 0, 0);
    pen.clearRect(0, 0, ...size);
    lines();
    shapes();
    labels();
  }

  function lines() {
    const paths = new Map();
    const inside = (a, b) => Math.max(a[0], b[0]) > 0 && Math.min(a[0], b[0]) < size[0] && Math.max(a[1], b[1]) > 0 && Math.min(a[1], b[1]) < size[1];
    for (const edge of edges) {
      const [a, b] = [nodes[edge.a], nodes[edge.b]];
      const ends = [[x(a), y(a)], [x(b), y(b)]];
      if (!inside(...ends)) continue;
      const strong = way ? way.pairs.has(edge.pair) : chosen && (a.key === chosen || b.key === chosen);
      const kind = `${strong ? 1 : 0}${edge.status}`;
      if (!paths.has(kind)) paths.set(kind, new Path2D());
      paths.get(kind).moveTo(...ends[0]);
      paths.get(kind).lineTo(...ends[1]);
    }
    for (const kind of [...paths.keys()].sort()) {
      const strong = kind[0] === "1";
      const status = kind.slice(1);
      pen.setLineDash((!moves && DASHES[status]) || []);
      pen.lineWidth = strong ? 2.2 : status === "disputed" ? 1.6 : 1;
      pen.strokeStyle = status === "disputed" ? look.bad : strong ? look.ink : look.line;
      pen.globalAlpha = strong || status === "disputed" ? 1 : chosen || way ? 0.35 : 0.8;
      pen.stroke(paths.get(kind));
    }
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }

  const faint = (node) => (way ? !way.nodes.has(node.key) : chosen ? node.key !== chosen && !near.has(node.key) : false);

  function shapes() {
    for (const dim of [true, false]) {
      const paths = new Map();
      const marked = new Path2D();
      for (const node of nodes) {
        const [px, py, r] = [x(node), y(node), radius(node)];
        if (faint(node) !== dim || px < -r || py < -r || px > size[0] + r || py > size[1] + r) continue;
        if (!paths.has(node.kind)) paths.set(node.kind, new Path2D());
        trace(paths.get(node.kind), node.kind, px, py, r);
        if (node.disputed) {
          marked.moveTo(px + r + 3, py);
          marked.arc(px, py, r + 3, 0, 2 * Math.PI);
        }
      }
      pen.globalAlpha = dim ? 0.28 : 1;
      pen.lineWidth = 1;
      for (const [kind, path] of paths) {
        pen.fillStyle = look.kinds[kind];
        pen.strokeStyle = look.paper;
        pen.fill(path);
        pen.stroke(path);
      }
      pen.strokeStyle = look.bad;
      pen.setLineDash(DASHES.disputed);
      pen.lineWidth = 1.6;
      pen.stroke(marked);
      pen.setLineDash([]);
    }
    pen.globalAlpha = 1;
    const one = nodes[at.get(chosen)];
    if (one) {
      pen.beginPath();
      pen.arc(x(one), y(one), radius(one) + 6, 0, 2 * Math.PI);
      pen.strokeStyle = look.ink;
      pen.lineWidth = 2.5;
      pen.stroke();
    }
  }

  /** Names, of what is chosen first, then of what has the most ties, where there is room. */
  function labels() {
    const taken = [];
    const wanted = [at.get(chosen), hover, ...(way ? [...way.nodes].map((key) => at.get(key)) : [...near].map((key) => at.get(key))), ...nodes.keys()];
    const seen = new Set();
    let left = moves ? MOST_LABELS / 3 : MOST_LABELS;
    pen.font = "12px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "top";
    pen.lineJoin = "round";
    for (const n of wanted) {
      const node = nodes[n];
      if (!node || seen.has(n) || (n !== hover && faint(node))) continue;
      seen.add(n);
      if (!left) break;
      const [px, py] = [x(node), y(node) + radius(node) + 3];
      if (px < 0 || py < 0 || px > size[0] || py > size[1]) continue;
      node.width ??= pen.measureText(node.label).width / 2 + 4;
      const box = [px - node.width, py - 1, px + node.width, py + 14];
      if (taken.some((other) => box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1])) continue;
      taken.push(box);
      left -= 1;
      pen.lineWidth = 3;
      pen.strokeStyle = look.paper;
      pen.strokeText(node.label, px, py);
      pen.fillStyle = look.ink;
      pen.fillText(node.label, px, py);
    }
  }

  function fit(some = nodes) {
    if (!some.length || !size[0]) return;
    const xs = some.map((node) => node.x);
    const ys = some.map((node) => node.y);
    const [x1, x2, y1, y2] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    scale = Math.min(NEAREST, (size[0] - 110) / Math.max(x2 - x1, 1), (size[1] - 70) / Math.max(y2 - y1, 1));
    left = size[0] / 2 - ((x1 + x2) / 2) * scale;
    top = size[1] / 2 - ((y1 + y2) / 2) * scale;
    soon();
  }

  function zoom(by, px = size[0] / 2, py = size[1] / 2) {
    const to = Math.min(NEAREST, Math.max(1.5, scale * by));
    left = px - ((px - left) * to) / scale;
    top = py - ((py - top) * to) / scale;
    scale = to;
    shifted();
  }

  function move(dx, dy) {
    left += dx;
    top += dy;
    shifted();
  }

  function shifted() {
    moves = edges.length > LARGE;
    if (moves) calm.begin();
    soon();
  }

  function hit(px, py) {
    let best = -1;
    let least = Infinity;
    nodes.forEach((node, n) => {
      const far = Math.hypot(x(node) - px, y(node) - py);
      if (far < Math.max(radius(node) + 5, 12) && far < least) [best, least] = [n, far];
    });
    return best;
  }

  const spot = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  let moved = 0;
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    if (!touches.size) moved = 0;
    touches.set(event.pointerId, spot(event));
  });
  canvas.addEventListener("pointermove", (event) => {
    const now = spot(event);
    const before = touches.get(event.pointerId);
    if (!before) {
      const over = hit(...now);
      if (over !== hover) [hover, canvas.style.cursor] = [over, over < 0 ? "grab" : "pointer"];
      else return;
      soon();
      return;
    }
    const other = [...touches].find(([id]) => id !== event.pointerId)?.[1];
    if (other) zoom(Math.hypot(now[0] - other[0], now[1] - other[1]) / Math.max(1, Math.hypot(before[0] - other[0], before[1] - other[1])), ...other);
    else move(now[0] - before[0], now[1] - before[1]);
    moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    touches.set(event.pointerId, now);
  });
  const ended = (event) => {
    const was = touches.delete(event.pointerId);
    if (!was || event.type === "pointercancel" || moved > 5 || touches.size) return;
    const n = hit(...spot(event));
    choose(n < 0 ? "" : nodes[n].key);
  };
  canvas.addEventListener("pointerup", ended);
  canvas.addEventListener("pointercancel", ended);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016)), ...spot(event));
  }, { passive: false });
  canvas.addEventListener("keydown", (event) => {
    const keys = { ArrowLeft: () => move(STEP, 0), ArrowRight: () => move(-STEP, 0), ArrowUp: () => move(0, STEP), ArrowDown: () => move(0, -STEP), "+": () => zoom(1.3), "=": () => zoom(1.3), "-": () => zoom(1 / 1.3), 0: () => fit() };
    if (!Object.hasOwn(keys, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    keys[event.key]();
  });
  new ResizeObserver(() => {
    const [wide, high] = [canvas.clientWidth, canvas.clientHeight];
    if (!wide || (wide === size[0] && high === size[1])) return;
    const first = !size[0];
    const sharp = devicePixelRatio || 1;
    [left, top] = [left + (wide - size[0]) / 2, top + (high - size[1]) / 2];
    size = [wide, high];
    [canvas.width, canvas.height] = [Math.round(wide * sharp), Math.round(high * sharp)];
    if (first) fit();
    draw();
  }).observe(canvas);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", colours);
  new MutationObserver(colours).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  colours();

  return {
    /** Draws these; `anew`: what was looked at does not matter any more. */
    set(map, anew) {
      nodes = map.nodes.map((node) => ({ ...node, kind: kindOf(node.type), disputed: node.statuses.includes("disputed"), label: node.name.length > 28 ? `${node.name.slice(0, 27)}…` : node.name }));
      at = new Map(nodes.map((node, n) => [node.key, n]));
      edges = map.edges.map((edge) => ({ a: at.get(edge.source), b: at.get(edge.target), status: edge.status, pair: pairOf(edge.source, edge.target) }));
      hover = -1;
      if (anew) fit();
      soon();
    },
    /** Marks a thing and those next to it; with a path (keys in order) that instead. */
    mark(key, path = null) {
      chosen = key;
      near = new Set(edges.flatMap((edge) => (nodes[edge.a].key === key ? [nodes[edge.b].key] : nodes[edge.b].key === key ? [nodes[edge.a].key] : [])));
      way = path && { nodes: new Set(path), pairs: new Set(path.slice(1).map((other, n) => pairOf(path[n], other))) };
      soon();
    },
    /** Brings a thing into sight. */
    show(key) {
      const node = nodes[at.get(key)];
      if (!node || !size[0]) return;
      if (x(node) < 40 || y(node) < 40 || x(node) > size[0] - 40 || y(node) > size[1] - 40) move(size[0] / 2 - x(node), size[1] / 2 - y(node));
    },
    fit, zoom, move,
  };
}

const pairOf = (one, other) => (one < other ? `${one}\n${other}` : `${other}\n${one}`);
