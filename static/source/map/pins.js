// Pins: buttons on the map with the numbers of the list, in one tab stop with arrow keys between them.

import { fromLonLat } from "ol/proj.js";
import { element } from "../element.js";
import { fill, words } from "../words.js";
import { WORLD } from "./address.js";
import { clusters } from "./clusters.js";
import { Label } from "./label.js";
import { move } from "./motion.js";

/** Whether list and map stand beside each other. */
const besides = matchMedia("(min-width: 56rem)");

/** The pins of hits on a map. */
export class Pins {
  constructor(map) {
    this.map = map;
    this.spots = [];
    this.holder = element("div", { class: "pins", role: "group", "aria-label": words.pins });
    this.label = new Label(
      map,
      (hit) => this.choose(hit),
      () => this.leave(),
    );
    map.getViewport().append(this.holder, this.label.box);
    this.groups = [];
    /** Called with the groups of pins, whenever they are grouped anew. */
    this.whenGrouped = () => {};
    /** Called with the hit that was chosen, or with nothing when none is any more. */
    this.whenChosen = () => {};
    map.on("postrender", () => this.place());
    map.on("click", (event) => {
      if (!event.originalEvent.target.closest?.(".pin-button, .label-box")) this.leave();
    });
    this.holder.addEventListener("keydown", (event) => this.step(event));
  }

  /** Shows hits; `middle` is a longitude: of the worlds beside each other the one around it is meant. */
  set(hits, middle) {
    this.leave();
    this.spots = hits.map((hit) => {
      const lon = hit.lon + 360 * Math.round((middle - hit.lon) / 360);
      const [x, y] = fromLonLat([lon, hit.lat]);
      return { hit, x, y };
    });
    this.resolution = undefined;
    this.groups = [];
    // A pin that goes leaves its focus to the map.
    if (this.holder.contains(document.activeElement)) this.map.getTargetElement().focus({ preventScroll: true });
    this.link();
  }

  /** The corners around the pins to look at first: those that are near, if there are any. */
  get coordinates() {
    const near = this.spots.filter((it) => !it.hit.isFar);
    return (near.length ? near : this.spots).map((it) => [it.x, it.y]);
  }

  /** Shows a hit of the list on the map: the map moves only if it would not be seen. */
  show(number) {
    const spot = this.spots.find((it) => it.hit.number === number);
    if (!spot) return;
    const [x, y] = this.map.getPixelFromCoordinate([spot.x, spot.y]) ?? [-1, -1];
    const [width, height] = this.map.getSize() ?? [0, 0];
    const seen = x > 20 && y > 40 && x < width - 20 && y < height - 20;
    if (!seen) move(this.map.getView(), { center: [spot.x, spot.y] });
    this.mark(spot.hit);
    this.whenChosen(spot.hit);
    this.label.open([spot.hit], spot);
    this.groupOf(spot.hit)?.button.focus({ preventScroll: true });
  }

  groupOf(hit) {
    return this.groups.find((group) => group.members.some((it) => it.hit === hit));
  }

  /** Groups the pins if the zoom has changed, and puts them where they belong. */
  place() {
    const resolution = this.map.getView().getResolution();
    if (!resolution) return;
    if (!this.resolution || Math.abs(Math.log(resolution / this.resolution)) > 0.01) {
      this.resolution = resolution;
      this.group(clusters(this.spots, resolution));
    }
    const across = WORLD * Math.round((this.map.getView().getCenter()[0] - (this.spots[0]?.x ?? 0)) / WORLD);
    for (const group of this.groups) {
      const pixel = this.map.getPixelFromCoordinate([group.x + across, group.y]);
      if (pixel) group.button.style.transform = `translate(${pixel[0]}px, ${pixel[1]}px)`;
    }
    this.label.place(across);
  }

  group(groups) {
    const key = (group) => group.members.map((it) => this.spots.indexOf(it)).join(" ");
    const old = new Map(this.groups.map((it) => [key(it), it.button]));
    const focused = this.groups.find((it) => it.button === document.activeElement)?.members[0].hit;
    this.groups = groups.map((group) => ({ ...group, button: old.get(key(group)) ?? this.button(group) }));
    // A pin that goes takes its light with it.
    for (const { hit } of this.spots) hit.card?.classList.remove("hovered");
    this.holder.replaceChildren(...this.groups.map((it) => it.button));
    for (const { button } of this.groups) button.tabIndex = -1;
    const stop = (focused && this.groupOf(focused)) ?? this.groups[0];
    if (stop) stop.button.tabIndex = 0;
    if (focused) stop.button.focus({ preventScroll: true });
    this.mark(this.marked);
    this.whenGrouped(this.groups);
  }

  button(group) {
    const many = group.members.length > 1;
    const { hit } = group.members[0];
    const numbers = group.members.map((it) => it.hit.number).filter(Boolean);
    const label = many
      ? `${fill(words.resultsHere, group.members.length)}${numbers.length ? `: ${numbers.join(", ")}` : ""}`
      : [hit.number, hit.label, hit.way].filter(Boolean).join(", ");
    const hover = (yes) => () => group.members.forEach((it) => it.hit.card?.classList.toggle("hovered", yes));
    const button = element(
      "button",
      {
        type: "button",
        class: many ? "pin-button cluster" : hit.number ? "pin-button" : "pin-button plain",
        "aria-label": label,
        title: label,
        "data-numbers": numbers.join(" "),
        click: () => this.press(group),
        pointerenter: hover(true),
        pointerleave: hover(false),
        focus: hover(true),
        blur: hover(false),
      },
      element("span", {}, many ? `${group.members.length}×` : String(hit.number ?? "")),
    );
    // What is better found lies on top.
    button.style.zIndex = String(1000 - Math.min(...numbers, 999));
    return button;
  }

  press(group) {
    if (group.members.length > 1 && !group.isOne) return this.enter(group);
    const [{ hit }] = group.members;
    this.label.open(group.members.map((it) => it.hit), group);
    if (group.members.length === 1) return this.choose(hit);
    this.mark();
    this.whenChosen();
    this.label.focus();
  }

  /** Zooms until the members of a cluster stand apart. */
  enter(group) {
    const xs = group.members.map((it) => it.x);
    const ys = group.members.map((it) => it.y);
    const extent = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
    const view = this.map.getView();
    const [width, height] = this.map.getSize();
    const fitting = Math.max((extent[2] - extent[0]) / (width - 120), (extent[3] - extent[1]) / (height - 120));
    // At least two zooms closer, or a wide cluster would need many clicks.
    const resolution = Math.max(Math.min(fitting, view.getResolution() / 4), 0.3);
    move(view, { center: [(extent[0] + extent[2]) / 2, (extent[1] + extent[3]) / 2], resolution });
  }

  /** Highlights the entry of a hit, and brings it and the focus together. */
  choose(hit) {
    this.mark(hit);
    this.whenChosen(hit);
    const card = hit.card;
    // On a narrow screen the entry would take the map, and the label with it, out of sight.
    if (!card || !card.offsetParent || !besides.matches) return;
    card.tabIndex = -1;
    card.scrollIntoView({ block: "nearest", behavior: move.isWanted ? "smooth" : "auto" });
    card.focus({ preventScroll: true });
  }

  /** Nothing is chosen any more. */
  leave() {
    this.label.close();
    this.mark();
    this.whenChosen();
  }

  mark(hit) {
    this.marked = hit;
    for (const { hit: other } of this.spots) other.card?.classList.toggle("chosen", other === hit);
    for (const { button, members } of this.groups) {
      button.classList.toggle("chosen", members.some((it) => it.hit === hit));
    }
  }

  /** An entry under the pointer or with the focus lights up its pin. */
  link() {
    for (const { hit } of this.spots) {
      const light = (yes) => () => this.groupOf(hit)?.button.classList.toggle("hovered", yes);
      hit.card?.addEventListener("pointerenter", light(true));
      hit.card?.addEventListener("pointerleave", light(false));
      hit.card?.addEventListener("focusin", light(true));
      hit.card?.addEventListener("focusout", light(false));
    }
  }

  step(event) {
    const buttons = this.groups.map((it) => it.button);
    const now = buttons.indexOf(document.activeElement);
    const steps = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -now, End: -1 - now };
    if (event.key === "Escape") return this.leave();
    if (now < 0 || !(event.key in steps)) return;
    event.preventDefault();
    // The map would move as well.
    event.stopPropagation();
    const next = buttons[(now + steps[event.key] + buttons.length) % buttons.length];
    buttons[now].tabIndex = -1;
    next.tabIndex = 0;
    next.focus({ preventScroll: true });
    this.reveal(this.groups[buttons.indexOf(next)]);
  }

  /** A pin with the focus must be seen. */
  reveal(group) {
    const [x, y] = this.map.getPixelFromCoordinate([group.x, group.y]) ?? [0, 0];
    const [width, height] = this.map.getSize();
    if (x < 0 || y < 20 || x > width || y > height) move(this.map.getView(), { center: [group.x, group.y] });
  }
}
