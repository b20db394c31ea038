// Drawing a region on the map: a box and a circle by dragging, a polygon by its corners.

import Feature from "ol/Feature.js";
import Polygon, { fromExtent } from "ol/geom/Polygon.js";
import { boundingExtent, getWidth } from "ol/extent.js";
import { toLonLat } from "ol/proj.js";
import { getDistance } from "ol/sphere.js";
import { element } from "../element.js";
import { say } from "../waiting.js";
import { words } from "../words.js";
import { boxText, circleText, polygonText, searchWithin } from "./address.js";
import { circle } from "./ground.js";

/** A hand that moves less than this, in pixels, has only clicked. */
const LEAST = 6;
/** More corners than this are not drawn by hand. */
const MOST_CORNERS = 100;

/** The hand that draws on a map, into a layer. */
export class Drawing {
  constructor(map, layer) {
    this.map = map;
    this.source = layer.getSource();
    this.sheet = element("div", { class: "sheet", hidden: true });
    this.hint = element("p", { class: "map-note hint", hidden: true }, words.cancel);
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
      if (this.sheet.hidden) return;
      if (event.key === "Escape") this.stop();
      else if (event.key === "Enter" && this.kind === "polygon") this.finish();
      else return;
      event.preventDefault();
    });
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
    say(words.cancel);
    this.whenChanged(kind);
  }

  stop() {
    if (this.kind) this.source.removeFeature(this.feature);
    this.kind = undefined;
    this.sheet.hidden = this.hint.hidden = true;
    this.whenChanged();
  }

  pointerdown(event) {
    if (event.button) return;
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
    if (!corners[0]) return;
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
    if (kind === "polygon" && corners.length < 3) return;
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
    this.sheet.hidden = this.hint.hidden = true;
    this.kind = undefined;
    this.whenChanged();
  }
}
