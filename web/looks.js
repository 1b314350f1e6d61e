// The button for light and dark, the same on every page; what was chosen is kept for this browser (theme.js reads it).

import { byId } from "./dom.js";
import { say } from "./words.js";

/** Wires the button; called once. */
export function wireTheme() {
  const root = document.documentElement;
  const button = byId("theme");
  const dark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const label = () => {
    const text = say(dark() ? "theme_light" : "theme_dark");
    button.setAttribute("aria-label", text);
    button.title = text;
  };
  button.addEventListener("click", () => {
    root.dataset.theme = dark() ? "light" : "dark";
    try {
      localStorage.setItem("brain.theme", root.dataset.theme);
    } catch {
      // storage is closed to this page: the choice lasts as long as the page
    }
    label();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
  label();
}
