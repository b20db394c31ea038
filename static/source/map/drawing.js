// Drawing a region on the map: a box and a circle by dragging, a polygon by its corners. With keys a cross is moved over
// the map instead: the space bar sets a point where it is.

import Feature from "ol/Feature.js";
import Polygon, { fromExtent } from "ol/geom/Polygon.js";
import { boundingExtent, getWidth } from "ol/extent.js";
import { toLonLat } from "ol/proj.js";
import { getDistance } from "ol/sphere.js";
import { element } from "../element.js";
import { words } from "../words.js";
import { boxText, circleText, polygonText, searchWithin } from "./address.js";
import { circle } from "./ground.js";
import { ARROWS } from "./motion.js";

/** A hand that moves less than this, in pixels, has only clicked. */
const LEAST = 6;
/** More corners than this are not drawn by hand. */
const MOST_CORNERS = 100;
/** One press of an arrow key moves the cross so many pixels, with the shift key fewer. */
const STEP = { usual: 16, fine: 2 };

/** The hand that draws on a map, into a layer. */
export class Drawing {
  constructor(map, layer) {
    this.map = map;
    this.source = layer.getSource();
    this.cross = element("div", { class: "cross", hidden: true });
    this.sheet = element("div", { class: "sheet", role: "application", tabindex: "-1", hidden: true }, this.cross);
    this.hint = element("p", { class: "map-note hint", hidden: true });
    map.getViewport().append(this.sheet);
    map.getTargetElement().append(this.hint);
    this.feature = new Feature();
    for (const kind of ["pointerdown", "pointermove", "pointerup", "dblclick"]) {
      this.sheet.addEventListener(kind, (event) => {
        event.stopPropagation();
        event.preventDefault();
        this[kind]?.(event);
      });
    }
    document.addEventListener("keydown", (event) => {
      // Who types elsewhere meanwhile, as into the box, means that.
      const isOurs = event.key === "Escape" || this.sheet.contains(document.activeElement);
      if (this.sheet.hidden || !isOurs || !this.press(event)) return;
      event.preventDefault();
      // The map would move as well.
      event.stopPropagation();
    }, { capture: true });
    /** Called when drawing begins, with its kind, and when it ends, with nothing. */
    this.whenChanged = () => {};
  }

  /** Begins to draw a `box`, a `circle` or a `polygon`; the same again gives up. */
  start(kind) {
    const again = this.kind === kind;
    this.stop();
    if (again) return;
    this.kind = kind;
    this.corners = [];
    this.feature.setGeometry(undefined);
    this.source.addFeature(this.feature);
    this.sheet.hidden = this.hint.hidden = false;
    this.hint.textContent = kind === "polygon" ? words.drawCorners : words.drawDrag;
    this.sheet.setAttribute("aria-label", this.hint.textContent);
    this.starter = document.activeElement;
    this.sheet.focus({ preventScroll: true });
    this.whenChanged(kind);
  }

  stop() {
    if (this.kind) this.source.removeFeature(this.feature);
    this.rest();
  }

  /** Nothing is drawn any more. */
  rest() {
    // The focus goes back to where it came from.
    if (this.sheet.contains(document.activeElement)) this.starter?.focus({ preventScroll: true });
    this.kind = undefined;
    this.at = undefined;
    this.sheet.hidden = this.hint.hidden = this.cross.hidden = true;
    this.whenChanged();
  }

  /** What a key does; false if it does nothing here. */
  press({ key, shiftKey }) {
    if (key === "Escape") this.stop();
    else if (key in ARROWS) this.step(ARROWS[key], shiftKey ? STEP.fine : STEP.usual);
    else if (key === " " && this.at) this.set();
    else if (key === "Backspace") this.draw([...(this.corners = this.corners.slice(0, -1)), ...this.spot()]);
    else if (key === "Enter") this.end();
    else return false;
    return true;
  }

  /** Moves the cross; it begins in the middle of the map. */
  step([right, down], pixels) {
    const [width, height] = this.map.getSize();
    const [x, y] = this.at ?? [width / 2, height / 2];
    const within = (value, most) => Math.min(Math.max(value, 0), most);
    const far = this.at ? pixels : 0;
    this.at = [within(x + right * far, width), within(y + down * far, height)];
    this.cross.hidden = false;
    this.cross.style.transform = `translate(${this.at[0]}px, ${this.at[1]}px)`;
    this.draw([...this.corners, ...this.spot()]);
  }

  /** Where the cross is on the map, in a list; an empty one if there is none. */
  spot() {
    return this.at ? [this.map.getCoordinateFromPixel(this.at)] : [];
  }

  /** A point where the cross is: a box and a circle have two. */
  set() {
    this.corners.push(...this.spot());
    this.draw(this.corners);
    if (this.kind !== "polygon" && this.corners.length === 2) this.finish();
  }

  /** Enter ends the drawing; of a box and a circle the cross is the other point. */
  end() {
    if (this.kind !== "polygon" && this.corners.length === 1) this.corners.push(...this.spot());
    this.finish();
  }

  pointerdown(event) {
    if (event.button) return;
    this.sheet.focus({ preventScroll: true });
    this.sheet.setPointerCapture(event.pointerId);
    this.from = [event.clientX, event.clientY];
    this.isDown = true;
    const corner = this.map.getEventCoordinate(event);
    if (this.kind === "polygon") this.addCorner(event, corner);
    else this.corners = [corner];
  }

  pointermove(event) {
    const here = this.map.getEventCoordinate(event);
    if (this.kind === "polygon") return this.draw([...this.corners, here]);
    if (this.isDown) this.draw([this.corners[0], here]);
  }

  pointerup(event) {
    if (!this.isDown) return;
    this.isDown = false;
    if (this.kind === "polygon") return;
    const far = Math.hypot(event.clientX - this.from[0], event.clientY - this.from[1]);
    if (far < LEAST) return this.feature.setGeometry(undefined);
    this.corners[1] = this.map.getEventCoordinate(event);
    this.finish();
  }

  dblclick() {
    if (this.kind === "polygon") this.finish();
  }

  /** A corner; the first one again ends the polygon. */
  addCorner(event, corner) {
    const [first] = this.corners;
    const pixel = first && this.map.getPixelFromCoordinate(first);
    const here = this.map.getEventPixel(event);
    const isFirst = pixel && Math.hypot(pixel[0] - here[0], pixel[1] - here[1]) < 2 * LEAST;
    if ((isFirst && this.corners.length > 2) || this.corners.length >= MOST_CORNERS) return this.finish();
    this.corners.push(corner);
    this.draw(this.corners);
  }

  draw(corners) {
    if (!corners[0]) return this.feature.setGeometry(undefined);
    if (!corners[1] && this.kind !== "polygon") return;
    this.feature.setGeometry(this.shape(corners));
  }

  shape(corners) {
    if (this.kind === "box") return fromExtent(boundingExtent(corners));
    if (this.kind === "circle") return circle(toLonLat(corners[0]), this.radius(corners));
    return new Polygon([[...corners, corners[0]]]);
  }

  radius([center, edge]) {
    return Math.max(getDistance(toLonLat(center), toLonLat(edge)), 1);
  }

  finish() {
    const { kind } = this;
    // The second click of a double click has made a corner of its own.
    const corners = this.corners.filter((it, at, all) => at === 0 || Math.hypot(it[0] - all[at - 1][0], it[1] - all[at - 1][1]) > 0);
    if (corners.length < (kind === "polygon" ? 3 : 2)) return;
    const view = this.map.getView();
    if (kind === "box") {
      const extent = boundingExtent(corners);
      if (getWidth(extent) > 0) searchWithin("bbox", boxText(extent), view);
    } else if (kind === "circle") {
      searchWithin("circle", circleText(toLonLat(corners[0]), this.radius(corners)), view);
    } else {
      searchWithin("polygon", polygonText(corners.map((it) => toLonLat(it))), view);
    }
    // What was drawn stays until the answer comes.
    this.rest();
  }
}
