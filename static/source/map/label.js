// The label box of a pin: what it is, where it is, how far, and the way to it.

import { element } from "../element.js";
import { words } from "../words.js";
import { move } from "./motion.js";

/** Tools lie at the top of the map and at its right; a narrow map has its label at the bottom instead. */
const TOOLS = { top: 56, right: 60 };
const NARROW = 480;

/** A label box on a map; `choose` is called with the hit that is taken from a stack of several, `leave` at its end. */
export class Label {
  constructor(map, choose, leave) {
    this.map = map;
    this.choose = choose;
    this.leave = leave;
    this.box = element("div", { class: "label-box", role: "group", "aria-label": words.label, hidden: true });
    this.box.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.leave();
      event.stopPropagation();
    });
    // A click or a wheel in the box is not meant for the map.
    for (const kind of ["pointerdown", "wheel", "dblclick"]) {
      this.box.addEventListener(kind, (event) => event.stopPropagation());
    }
  }

  /** Opens it for one hit, or for several that lie at the same spot. */
  open(hits, spot) {
    this.spot = spot;
    const close = element(
      "button",
      { type: "button", class: "close", "aria-label": words.close, click: () => this.leave() },
      "×",
    );
    this.box.replaceChildren(close, hits.length > 1 ? this.stack(hits) : single(hits[0]));
    this.box.hidden = false;
    this.place(0);
    this.makeRoom();
    this.map.render();
  }

  /** A box at the bottom must not lie on its own pin: the map moves up. */
  makeRoom() {
    const pixel = this.map.getPixelFromCoordinate([this.spot.x, this.spot.y]);
    const top = this.box.offsetTop;
    if (!pixel || !this.box.classList.contains("docked") || pixel[1] < top - 8) return;
    const view = this.map.getView();
    const [x, y] = view.getCenter();
    move(view, { center: [x, y - (pixel[1] - (TOOLS.top + top) / 2) * view.getResolution()] });
  }

  close() {
    this.box.hidden = true;
    this.spot = undefined;
  }

  focus() {
    this.box.querySelector("li a, li button")?.focus();
  }

  stack(hits) {
    const line = (hit) =>
      element(
        "li",
        {},
        hit.number ? element("span", { class: "pin", "aria-hidden": "true" }, String(hit.number)) : null,
        hit.card
          ? element("button", { type: "button", class: "entry", click: () => this.choose(hit) }, hit.title ?? hit.label)
          : title(hit),
      );
    return element("div", {}, element("p", { class: "label-place" }, hits[0].label), element("ul", {}, ...hits.map(line)));
  }

  /** Puts it above its pin, within the map. */
  place(across) {
    if (!this.spot) return;
    const pixel = this.map.getPixelFromCoordinate([this.spot.x + across, this.spot.y]);
    const size = this.map.getSize();
    if (!pixel || !size) return;
    this.box.classList.toggle("docked", size[0] < NARROW);
    if (size[0] < NARROW) return void (this.box.style.transform = "");
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const left = Math.min(Math.max(pixel[0] - width / 2, 4), Math.max(size[0] - width - TOOLS.right, 4));
    const above = pixel[1] - height - 40;
    const top = above > TOOLS.top ? above : pixel[1] + 12;
    this.box.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  }
}

function single(hit) {
  const figures = { minimumFractionDigits: 5, maximumFractionDigits: 5 };
  const written = (degrees) => degrees.toLocaleString(document.documentElement.lang, figures);
  const position = (name, degrees) => [element("dt", {}, name), element("dd", {}, written(degrees))];
  return element(
    "div",
    {},
    element(
      "p",
      { class: "label-place" },
      hit.number ? element("span", { class: "pin", "aria-hidden": "true" }, String(hit.number)) : null,
      hit.label ?? "",
    ),
    element("dl", {}, ...position(words.longitude, hit.lon), ...position(words.latitude, hit.lat)),
    hit.way ? element("p", { class: "label-way" }, hit.way) : null,
    hit.link && hit.title !== hit.label ? element("p", { class: "label-link" }, title(hit)) : hit.link ? element("p", {}, title(hit)) : null,
  );
}

function title(hit) {
  const text = hit.title ?? hit.label ?? "";
  return hit.link ? element("a", { href: hit.link, dir: "auto" }, text) : element("span", { dir: "auto" }, text);
}
