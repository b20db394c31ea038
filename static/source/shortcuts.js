// Keys that act anywhere on the page, with a switch to turn them off (WCAG 2.1.4).

import { element } from "./element.js";
import { memory } from "./memory.js";
import { words } from "./words.js";

const OFF = "strabo-shortcuts-off";

/** Starts to listen; `toggle` shows the map or the list. */
export function shortcuts(toggle) {
  const dialog = help();
  const acts = {
    "/": () => document.getElementById("q")?.focus(),
    j: () => step(1),
    k: () => step(-1),
    m: toggle,
    "?": () => dialog?.showModal(),
  };
  document.addEventListener("keydown", (event) => {
    const modified = event.ctrlKey || event.metaKey || event.altKey;
    if (modified || event.isComposing || event.defaultPrevented || memory.get(OFF)) return;
    if (event.target.closest?.("input, select, textarea, dialog, [contenteditable]")) return;
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

/** Goes to the next or the previous entry of the list; Enter then opens it, as it does any link. */
function step(by) {
  const titles = [...document.querySelectorAll(".card :is(h2, h3) a")];
  const now = titles.findIndex((it) => it.closest(".card").contains(document.activeElement));
  const next = now < 0 ? (by > 0 ? 0 : titles.length - 1) : now + by;
  titles[next]?.focus();
}

/** The list of keys with their switch, and a button in the foot of the page that shows it. */
function help() {
  const foot = document.querySelector(".foot nav");
  if (!words.keys || !foot) return null;
  const on = element("input", { type: "checkbox", checked: !memory.get(OFF) });
  on.addEventListener("change", () => memory.set(OFF, on.checked ? "" : "1"));
  const keys = [
    ["/", words.keySearch],
    ["j", words.keyNext],
    ["k", words.keyPrevious],
    ["Enter", words.keyOpen],
    ["m", words.keyMap],
    ["?", words.keyHelp],
  ];
  const rows = keys.flatMap(([key, act]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, act)]);
  const dialog = element(
    "dialog",
    { class: "keys", "aria-label": words.keys },
    element("h2", {}, words.keys),
    element("dl", {}, ...rows),
    element("label", {}, on, ` ${words.keysOn}`),
    element("form", { method: "dialog" }, element("button", {}, words.close)),
  );
  document.body.append(dialog);
  foot.append(element("button", { type: "button", class: "quiet keys-button", click: () => dialog.showModal() }, words.keys));
  return dialog;
}
