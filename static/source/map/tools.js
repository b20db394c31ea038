// The tools of the map: zoom, drawing, and what the map is made of.

import { element, icon } from "../element.js";
import { words } from "../words.js";
import { move } from "./motion.js";

const ICONS = {
  in: "M12 5v14M5 12h14",
  out: "M5 12h14",
  box: "M4 6h16v12H4z",
  circle: "M12 4a8 8 0 1 0 0 16a8 8 0 1 0 0-16",
  polygon: "M5 8l8-4l7 7l-5 9l-9-3z",
};

/** Buttons on the map; `drawing` is offered where there is one. */
export function tools(map, drawing) {
  const view = map.getView();
  const zoom = (by) => () => move(view, { zoom: view.getZoom() + by });
  const holder = element("div", { class: "map-tools", role: "group", "aria-label": words.tools });
  holder.append(button(words.zoomIn, ICONS.in, zoom(1)), button(words.zoomOut, ICONS.out, zoom(-1)));
  if (drawing) {
    const kinds = { box: words.drawBox, circle: words.drawCircle, polygon: words.drawPolygon };
    const buttons = Object.entries(kinds).map(([kind, word]) => {
      const made = button(word, ICONS[kind], () => drawing.start(kind));
      made.setAttribute("aria-pressed", "false");
      made.dataset.draws = kind;
      return made;
    });
    drawing.whenChanged = (now) => {
      for (const it of buttons) it.setAttribute("aria-pressed", String(it.dataset.draws === now));
    };
    holder.append(...buttons);
  }
  return holder;
}

/** Whom the map comes from, as the page says it. */
export function attribution(credits = []) {
  const from = credits.map((it) => (it.link ? link(it.name, it.link) : it.name));
  const parts = from.flatMap((it, at) => (at ? [", ", it] : [it]));
  return element("p", { class: "map-from" }, element("span", { class: "prefix" }, `${words.attribution}: `), ...parts);
}

function link(name, href) {
  return element("a", { href, rel: "noopener" }, name);
}

function button(label, path, click) {
  return element("button", { type: "button", title: label, "aria-label": label, click }, icon(path));
}
