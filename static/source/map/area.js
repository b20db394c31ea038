// Searching the area that the map shows: on a button, or as the map moves for those who want that.

import { element } from "../element.js";
import { memory } from "../memory.js";
import { words } from "../words.js";
import { boxText, keepView, searchWithin } from "./address.js";

const AS_I_MOVE = "strabo-as-i-move";
/** A move counts if it is by this part of the map, or a third of a zoom. */
const MOVED = { part: 0.1, zoom: 0.3 };
/** Who moves on within this time has not arrived. */
const ARRIVED = 700;

/** Watches the moves of a map; gives the button and the switch. */
export function area(map) {
  const view = map.getView();
  const search = () => searchWithin("bbox", boxText(view.calculateExtent(map.getSize())), view);
  const button = element("button", { type: "button", class: "search-area", hidden: true, click: search }, words.searchArea);
  const wish = element("input", { type: "checkbox", checked: Boolean(memory.get(AS_I_MOVE)) });
  wish.addEventListener("change", () => {
    memory.set(AS_I_MOVE, wish.checked ? "1" : "");
    if (wish.checked && !button.hidden) search();
  });
  let start;
  let timer;
  map.on("moveend", () => {
    const here = { center: view.getCenter(), zoom: view.getZoom(), resolution: view.getResolution() };
    // The first rest is the view that the page came with.
    if (!start) return void (start = here);
    keepView(view);
    clearTimeout(timer);
    const width = map.getSize()[0] * start.resolution;
    const way = Math.hypot(here.center[0] - start.center[0], here.center[1] - start.center[1]);
    const moved = way > MOVED.part * width || Math.abs(here.zoom - start.zoom) > MOVED.zoom;
    button.hidden = !moved;
    if (moved && wish.checked) timer = setTimeout(search, ARRIVED);
  });
  return element("div", { class: "map-area" }, button, element("label", {}, wish, ` ${words.asIMove}`));
}
