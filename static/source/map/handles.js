// Handles on the region that was searched: a hand pulls them, arrow keys move the one with the focus. A circle has one at
// its edge, and one in its middle if it was drawn; a ring has one at either edge, a sector one that turns it; a box and a
// polygon have one at each corner.

import { boundingExtent } from "ol/extent.js";
import Polygon, { fromExtent } from "ol/geom/Polygon.js";
import { fromLonLat, toLonLat } from "ol/proj.js";
import { getDistance, offset } from "ol/sphere.js";
import { element } from "../element.js";
import { fill, words } from "../words.js";
import { WORLD, boxText, circleText, polygonText, searchWithin } from "./address.js";
import { annulus, circle } from "./ground.js";
import { ARROWS } from "./motion.js";

/** Nobody looks closer than this, and the number field does not either, in metres. */
const SMALLEST = 1;
/** Half around the earth, in metres. */
const LARGEST = 20_000_000;
/** A polygon with more corners than this is drawn anew rather than mended. */
const MOST_CORNERS = 24;
/** A handle nearer to the edge of the map than this, in pixels, is cut off and cannot be held. */
const EDGE = 12;
/** One press of an arrow key, in pixels. */
const STEP = 8;
/** How far from the middle the handle of a sector is held, in pixels, and the angle between two directions. */
const LEVER = 96;
const QUARTER = 45;

/** The handles of one region at a time. */
export class Handles {
  constructor(map) {
    this.map = map;
    this.holder = element("div", { class: "handles" });
    this.knobs = [];
    map.getViewport().append(this.holder);
    map.on("postrender", () => this.place());
  }

  /** Puts handles on a region, which the map shows as this feature. */
  set(feature, data) {
    const region = feature && (ring(data) ?? sector(this.map, feature, data) ?? (data.drawn ? corners(feature) : undefined));
    const focused = this.knobs.findIndex((it) => it.knob === document.activeElement);
    this.knobs = (region?.spots ?? []).map((spot) => this.knob(spot, region, feature));
    this.holder.replaceChildren(...this.knobs.map((it) => it.knob));
    this.knobs[focused]?.knob.focus({ preventScroll: true });
    this.place();
  }

  knob(spot, region, feature) {
    const knob = element("button", { type: "button", class: `handle ${spot.kind}`, title: spot.label, "aria-label": spot.label });
    let changed = false;
    const pull = (to) => {
      spot.move(to);
      feature.setGeometry(region.shape());
      changed = true;
      this.place();
    };
    const finish = () => {
      if (changed) region.search(this.map.getView());
      changed = false;
    };
    knob.addEventListener("pointerdown", (event) => {
      event.stopPropagation();
      knob.setPointerCapture(event.pointerId);
    });
    knob.addEventListener("pointermove", (event) => {
      if (knob.hasPointerCapture(event.pointerId)) pull(this.map.getEventCoordinate(event));
    });
    knob.addEventListener("lostpointercapture", finish);
    knob.addEventListener("keydown", (event) => {
      const [right, down] = ARROWS[event.key] ?? [];
      if (right === undefined && event.key !== "Enter") return;
      // The map would move as well.
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Enter") return finish();
      const [x, y] = this.map.getPixelFromCoordinate(spot.at());
      pull(this.map.getCoordinateFromPixel([x + right * STEP, y + down * STEP]));
    });
    knob.addEventListener("blur", finish);
    return { knob, spot };
  }

  place() {
    const [width, height] = this.map.getSize() ?? [0, 0];
    const isAtEdge = ([x, y]) => Math.min(x, y, width - x, height - y) < EDGE;
    let held = 0;
    for (const { knob, spot } of this.knobs) {
      const at = spot.at();
      const pixel = at && this.map.getPixelFromCoordinate(at);
      if (!pixel) continue;
      knob.style.transform = `translate(${pixel[0]}px, ${pixel[1]}px)`;
      if (!isAtEdge(pixel)) held += 1;
    }
    // A box that fills the map, as after searching what it shows, has nothing to be pulled until the map shows more. What is
    // in a hand stays there.
    this.holder.hidden = held === 0 && !this.holder.matches(":focus-within, :active");
  }
}

/** A circle around a place, or a drawn one, or the ring between two; the number fields say the same as their edges. */
function ring({ center: from, radius, inner, drawn }) {
  if (!from || !radius) return undefined;
  const [field, innerField] = ["km", "from-km"].map((it) => document.getElementById(it));
  let [center, metres, least] = [from, radius, inner];
  const far = (to, shortest, longest) => rounded(Math.min(Math.max(getDistance(center, toLonLat(to)), shortest), longest));
  const east = (distance) => fromLonLat(offset(center, Math.min(distance, LARGEST), Math.PI / 2));
  const edge = {
    kind: "edge",
    label: words.radius,
    at: () => east(metres),
    move: (to) => {
      metres = far(to, Math.max(least ?? 0, SMALLEST), LARGEST);
      if (field) field.value = String(metres / 1000);
    },
  };
  const innerEdge = {
    kind: "edge inner",
    label: words.inner,
    at: () => east(least),
    move: (to) => {
      least = far(to, SMALLEST, metres);
      if (innerField) innerField.value = String(least / 1000);
    },
  };
  const middle = {
    kind: "middle",
    label: words.middle,
    at: () => fromLonLat(center),
    move: (to) => void (center = toLonLat(to)),
  };
  const search = (view) => {
    if (drawn || !field) searchWithin("circle", circleText(center, metres), view);
    else field.form.requestSubmit();
  };
  const spots = [edge, ...(drawn ? [middle] : []), ...(least ? [innerEdge] : [])];
  return { spots, shape: () => (least ? annulus(center, least, metres) : circle(center, metres)), search };
}

/** A sector turns from one of eight directions to another; the field beside the list says the same. */
function sector(map, feature, { center, bearing }) {
  const field = document.getElementById("direction");
  if (!center || bearing == null || !field) return undefined;
  const line = feature.getGeometry().getCoordinates()[0].map((it) => toLonLat(it));
  const points = line.map((it) => ({ far: getDistance(center, it), way: wayTo(center, it) }));
  const middle = fromLonLat(center);
  // The handle goes with the hand, the sector to the nearest direction.
  let held = bearing;
  const next = () => Math.round(held / QUARTER) % field.options.length;
  const spot = {
    kind: "turn",
    label: words.turn,
    at: () => {
      const [x, y] = map.getPixelFromCoordinate(middle) ?? [];
      const angle = (held * Math.PI) / 180;
      return x === undefined ? undefined : map.getCoordinateFromPixel([x + LEVER * Math.sin(angle), y - LEVER * Math.cos(angle)]);
    },
    move: ([x, y]) => {
      held = ((Math.atan2(x - middle[0], y - middle[1]) * 180) / Math.PI + 360) % 360;
      field.selectedIndex = next();
    },
  };
  const shape = () => {
    const turned = ((next() * QUARTER - bearing) * Math.PI) / 180;
    return new Polygon([points.map(({ far, way }) => fromLonLat(offset(center, far, way + turned)))]);
  };
  return { spots: [spot], shape, search: () => field.form.requestSubmit() };
}

/** The direction from one point to another, clockwise from north, in radians. */
function wayTo(from, to) {
  const [lon, lat, otherLon, otherLat] = [...from, ...to].map((it) => (it * Math.PI) / 180);
  const east = Math.sin(otherLon - lon) * Math.cos(otherLat);
  const north = Math.cos(lat) * Math.sin(otherLat) - Math.sin(lat) * Math.cos(otherLat) * Math.cos(otherLon - lon);
  return Math.atan2(east, north);
}

/** The corners of a box or a polygon that was drawn, as the address has them. */
function corners(feature) {
  const address = new URLSearchParams(location.search);
  const [box, polygon] = [address.get("bbox"), address.get("polygon")];
  if (!box && !polygon) return undefined;
  const near = feature.getGeometry().getExtent()[0];
  const points = box ? cornersOf(box) : polygon.split(",").map((it) => it.trim().split(/\s+/).map(Number));
  if (points.length > MOST_CORNERS || points.flat().some(Number.isNaN)) return undefined;
  const [first] = points.map((it) => fromLonLat(it));
  const across = WORLD * Math.round((near - first[0]) / WORLD);
  const line = points.map((it) => fromLonLat(it)).map(([x, y]) => [x + across, y]);
  const spots = line.map((_, at) => ({
    kind: "corner",
    label: fill(words.corner, at + 1),
    at: () => line[at],
    move: (to) => {
      line[at] = to;
      if (!box) return;
      // The corners beside it share one of its sides.
      const [before, after] = [(at + 3) % 4, (at + 1) % 4];
      const side = at % 2;
      line[before] = side ? [line[before][0], to[1]] : [to[0], line[before][1]];
      line[after] = side ? [to[0], line[after][1]] : [line[after][0], to[1]];
    },
  }));
  return {
    spots,
    shape: () => (box ? fromExtent(boundingExtent(line)) : new Polygon([[...line, line[0]]])),
    search: (view) =>
      box
        ? searchWithin("bbox", boxText(boundingExtent(line)), view)
        : searchWithin("polygon", polygonText(line.map((it) => toLonLat(it))), view),
  };
}

/** The corners of a box, one after the other around it. */
function cornersOf(text) {
  const [west, south, east, north] = text.split(",").map(Number);
  const right = east < west ? east + 360 : east;
  return [[west, south], [right, south], [right, north], [west, north]];
}

/** Two digits are as exact as a hand is. */
function rounded(metres) {
  const step = 10 ** Math.max(Math.floor(Math.log10(metres)) - 1, 0);
  return Math.round(metres / step) * step;
}
