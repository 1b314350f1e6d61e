// A shape and a colour for each kind of thing, the same in the map, the list and the choice; colour says nothing alone.

import { svg } from "./dom.js";

/** In the order of the choice. What a company names itself gets the last one. */
export const KINDS = ["Person", "Team", "Service", "System", "Decision", "Document", "Message", ""];

const polygon = (corners, turn = 0) => Array.from({ length: corners }, (_, n) => {
  const angle = turn + (2 * Math.PI * n) / corners - Math.PI / 2;
  return [Math.cos(angle), Math.sin(angle)];
});

const CORNERS = {
  Team: polygon(6), Service: [[-0.85, -0.85], [0.85, -0.85], [0.85, 0.85], [-0.85, 0.85]], System: polygon(4),
  Decision: polygon(3).map(([x, y]) => [x * 1.15, y * 1.15 + 0.15]), Document: [[-0.7, -1], [0.3, -1], [0.7, -0.6], [0.7, 1], [-0.7, 1]],
  Message: [[-1, -0.75], [1, -0.75], [1, 0.5], [-0.2, 0.5], [-0.6, 1], [-0.6, 0.5], [-1, 0.5]], "": polygon(5, Math.PI),
};

/** The kind whose look a type has. */
export const kindOf = (type) => (KINDS.includes(type) ? type : "");

/** Adds the shape to a path of a canvas. */
export function trace(path, kind, x, y, size) {
  const corners = CORNERS[kind];
  if (!corners) {
    path.moveTo(x + size, y);
    path.arc(x, y, size, 0, 2 * Math.PI);
    return;
  }
  corners.forEach(([dx, dy], n) => (n ? path.lineTo(x + dx * size, y + dy * size) : path.moveTo(x + dx * size, y + dy * size)));
  path.closePath();
}

/** The shape as a small drawing beside a word. */
export function shape(type) {
  const kind = kindOf(type);
  const corners = CORNERS[kind];
  const drawn = corners ? svg("polygon", { points: corners.map(([x, y]) => `${8 + x * 6},${8 + y * 6}`).join(" ") }) : svg("circle", { cx: 8, cy: 8, r: 6 });
  return svg("svg", { class: `shape shape-${kind || "other"}`, viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" }, drawn);
}
