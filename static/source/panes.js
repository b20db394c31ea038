// The two panes of a page with a map: beside each other where there is room, otherwise one at a time.

import { element } from "./element.js";
import { words } from "./words.js";

/** Below this width there is room for one of them; strabo.css says the same. */
const narrow = matchMedia("(max-width: 55.999rem)");

/** The switch between list and map, and the loading of the map. */
export function panes() {
  const map = document.getElementById("map");
  if (!map?.dataset.script) return { toggle() {} };
  let loading;
  const load = () => (loading ??= import(map.dataset.script).catch(() => (loading = undefined)));
  const split = map.closest(".split");
  const button = split && switcher();

  function switcher() {
    const made = element("button", { type: "button", class: "switcher", click: () => showMap(!shown()) }, words.map);
    split.classList.add("switched");
    split.after(made);
    return made;
  }

  function shown() {
    return split.classList.contains("shows-map");
  }

  /** Shows the map instead of the list, or the other way round. */
  function showMap(yes) {
    split.classList.toggle("shows-map", yes);
    button.textContent = yes ? words.list : words.map;
    if (yes) return void load();
    // What was chosen on the map is what the list is looked at for.
    document.querySelector(".card.chosen")?.scrollIntoView({ block: "center" });
  }

  /** The key for the map: one pane for the other, or the focus from one to the other. */
  function toggle() {
    if (button && narrow.matches) return showMap(!shown());
    if (map.contains(document.activeElement)) document.getElementById("results")?.focus();
    else (map.querySelector("[tabindex='0']") ?? map).focus();
  }

  // The link over the list leads to the map, wherever that is.
  addEventListener("hashchange", () => location.hash === "#map" && button && narrow.matches && showMap(true));
  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.("a.show");
    if (!link) return;
    event.preventDefault();
    if (button && narrow.matches) showMap(true);
    await load();
    document.dispatchEvent(new CustomEvent("strabo:show", { detail: Number(link.dataset.show) }));
  });

  // The list comes first: the map waits until the page is painted and nothing else is to be done, and, where it
  // lies below what is seen, until somebody comes near it.
  const idle = window.requestIdleCallback ?? ((act) => setTimeout(act, 200));
  const near = new IntersectionObserver(([seen]) => {
    if (!seen.isIntersecting) return;
    near.disconnect();
    idle(load, { timeout: 1000 });
  }, { rootMargin: "100px" });
  const start = () => (!button || !narrow.matches ? near.observe(map) : undefined);
  // Who comes from the map is waiting for it.
  const isFromMap = new URLSearchParams(location.search).has("view");
  if (isFromMap && !(button && narrow.matches)) load();
  else if (document.readyState === "complete") start();
  else addEventListener("load", start);
  narrow.addEventListener("change", () => !narrow.matches && load());
  return { toggle };
}
