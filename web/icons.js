// Small drawings; each mark has a shape of its own, so that colour says nothing alone.

import { svg } from "./dom.js";

const PATHS = {
  proved: ["circle", "M5 8.3l2.1 2.1L11.2 6"],
  unproved: ["triangle", "M8 6.2v3.2M8 11.6v.1"],
  uncited: ["dashes", "M5.4 8h5.2"],
  about: ["square", "M8 7.4v3.4M8 5.1v.1"],
  search: ["", "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.4 10.4L14 14"],
  send: ["", "M8 13.5V3M3.8 7.2L8 3l4.2 4.2"],
  stop: ["", "M4.5 4.5h7v7h-7z"],
  close: ["", "M4 4l8 8M12 4l-8 8"],
  copy: ["", "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z"],
  yes: ["", "M3.5 8.5l3 3 6-7"],
  no: ["", "M4.5 4.5l7 7M11.5 4.5l-7 7"],
  document: ["", "M4 1.8h5.5L12.5 5v9.2H4zM9.2 2v3.3h3.2M6 8.2h4.4M6 10.8h4.4"],
  clock: ["", "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2zM8 5v3.2l2.2 1.4"],
  warning: ["triangle", "M8 6.2v3.2M8 11.6v.1"],
  disagree: ["", "M3 5.5h8L8.6 3M13 10.5H5L7.4 13"],
  empty: ["", "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.4 10.4L14 14M5.2 7h3.6"],
  whole: ["", "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10"],
  flag: ["", "M4 14V2.5h8L10 5.5l2 3H4"],
};

const FRAMES = {
  circle: () => svg("circle", { cx: 8, cy: 8, r: 6.3 }),
  triangle: () => svg("path", { d: "M8 2L14.6 13.6H1.4z" }),
  dashes: () => svg("circle", { cx: 8, cy: 8, r: 6.3, "stroke-dasharray": "2.6 2.35" }),
  square: () => svg("rect", { x: 2, y: 2, width: 12, height: 12, rx: 3 }),
};

/** A drawing of 16 units; it says nothing to screen readers, the words beside it do. */
export function icon(name) {
  const [frame, path] = PATHS[name];
  return svg(
    "svg", { class: `icon icon-${name}`, viewBox: "0 0 16 16", "aria-hidden": "true", focusable: "false" },
    frame ? FRAMES[frame]() : null, svg("path", { d: path }),
  );
}
