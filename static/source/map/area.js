// Searching the area that the map shows: on a button, or as the map moves for those who want that.

import { element } from "../element.js";
import { memory } from "../memory.js";
import { words } from "../words.js";
import { boxText, keepView, searchWithin, viewOfAddress } from "./address.js";

const AS_I_MOVE = "strabo-as-i-move";
/** A move counts if it is by this part of the map, or a third of a zoom. */
const MOVED = { part: 0.1, zoom: 0.3 };
/** Who moves on within this time has not arrived. */
const ARRIVED = 700;

/** Watches the moves of a map; gives the button and the switch, and `rest` for when what it shows was searched. */
export function area(map) {
  const view = map.getView();
  const search = (isMove) => searchWithin("bbox", boxText(view.calculateExtent(map.getSize())), view, isMove);
  const button = element("button", { type: "button", class: "search-area", hidden: true, click: () => search(false) }, words.searchArea);
  const wish = element("input", { type: "checkbox", checked: Boolean(memory.get(AS_I_MOVE)) });
  wish.addEventListener("change", () => {
    memory.set(AS_I_MOVE, wish.checked ? "1" : "");
    if (wish.checked && !button.hidden) search(true);
  });
  const now = () => ({ center: view.getCenter(), zoom: view.getZoom(), resolution: view.getResolution() });
  let start = now();
  let timer;
  const rest = () => {
    clearTimeout(timer);
    // A button that goes leaves its focus to the map.
    if (button === document.activeElement) map.getTargetElement().focus({ preventScroll: true });
    button.hidden = true;
    start = now();
  };
  map.on("moveend", () => {
    const here = now();
    const way = Math.hypot(here.center[0] - start.center[0], here.center[1] - start.center[1]) / start.resolution;
    const zoom = Math.abs(here.zoom - start.zoom);
    // Where nobody has moved the map, the address says nothing of it.
    if (viewOfAddress() || way > 1 || zoom > 0.01) keepView(view);
    clearTimeout(timer);
    const moved = way > MOVED.part * map.getSize()[0] || zoom > MOVED.zoom;
    button.hidden = !moved;
    if (moved && wish.checked) timer = setTimeout(() => search(true), ARRIVED);
  });
  return { bar: element("div", { class: "map-area" }, button, element("label", {}, wish, ` ${words.asIMove}`)), rest };
}
