// The ground that was asked about, drawn on the map.

import Feature from "ol/Feature.js";
import Point from "ol/geom/Point.js";
import Polygon, { circular } from "ol/geom/Polygon.js";
import VectorLayer from "ol/layer/Vector.js";
import { fromLonLat } from "ol/proj.js";
import VectorSource from "ol/source/Vector.js";
import CircleStyle from "ol/style/Circle.js";
import Fill from "ol/style/Fill.js";
import Stroke from "ol/style/Stroke.js";
import Style from "ol/style/Style.js";
import { colours, whenRecoloured } from "./colours.js";

/** A circle is drawn with so many corners. */
export const CORNERS = 96;

/** A layer for grounds and drawings. */
export function groundLayer() {
  const layer = new VectorLayer({ source: new VectorSource(), zIndex: 2 });
  const recolour = () => {
    const { accent, wash } = colours();
    const stroke = new Stroke({ color: accent, width: 2 });
    // A place whose shape is not known is a dot.
    const image = new CircleStyle({ radius: 8, stroke, fill: new Fill({ color: `${accent}66` }) });
    const [full, hollow] = [new Style({ stroke, image, fill: new Fill({ color: wash }) }), new Style({ stroke })];
    layer.setStyle((feature) => (feature.get("isHollow") ? hollow : full));
  };
  recolour();
  whenRecoloured(recolour);
  return layer;
}

/** A layer that keeps labels of the map away from pins and tools; `keep` gets the groups of pins, `clear` what lies on the map. */
export function clearance() {
  // It is not seen: the pins lie above. A cluster lies on its spot, a pin stands above it.
  const room = (radius, up) =>
    new Style({
      image: new CircleStyle({
        radius,
        displacement: [0, up],
        fill: new Fill({ color: "#0000" }),
        declutterMode: "obstacle",
      }),
    });
  const [pin, cluster] = [room(17, 20), room(21, 0)];
  const layer = new VectorLayer({ source: new VectorSource(), declutter: true, zIndex: 3 });
  const tools = new VectorSource();
  const toolsLayer = new VectorLayer({ source: tools, declutter: true, zIndex: 3 });
  const keep = (groups) => {
    const spots = groups.map((it) => {
      const spot = new Feature(new Point([it.x, it.y]));
      spot.setStyle(it.members.length > 1 ? cluster : pin);
      return spot;
    });
    layer.getSource().clear(true);
    layer.getSource().addFeatures(spots);
  };
  const clear = (map, elements) => {
    const view = map.getViewport().getBoundingClientRect();
    const spots = elements.flatMap((it) => rooms(it.getBoundingClientRect(), view)).map(([x, y, side]) => {
      const spot = new Feature(new Point(map.getCoordinateFromPixel([x, y])));
      spot.setStyle(room(side / 2, 0));
      return spot;
    });
    tools.clear(true);
    tools.addFeatures(spots);
  };
  return { layers: [layer, toolsLayer], keep, clear };
}

/** Squares that cover a rectangle on the map, as their middles and how wide they are. */
function rooms({ left, top, width, height }, view) {
  const side = Math.min(width, height);
  if (!side) return [];
  const count = Math.ceil(Math.max(width, height) / side);
  const at = (length, number) => (count > 1 && length > side ? side / 2 + ((length - side) * number) / (count - 1) : length / 2);
  return Array.from({ length: count }, (_, number) => [left - view.left + at(width, number), top - view.top + at(height, number), side]);
}

/** The rings of the ground as polygons on the map; a ring within another is a hole in it. */
export function polygons(rings, middle) {
  const made = [];
  for (const ring of rings ?? []) {
    if (ring.length < 3) continue;
    const line = unbroken(ring, middle).map((it) => fromLonLat(it));
    line.push(line[0]);
    const around = made.find((it) => it.intersectsCoordinate(line[0]));
    if (around) around.setCoordinates([...around.getCoordinates(), line]);
    else made.push(new Polygon([line]));
  }
  return made;
}

/** A line without jumps across the date line, in the world around a longitude. */
function unbroken(ring, middle) {
  let before = middle;
  return ring.map(([lon, lat]) => {
    before = lon + 360 * Math.round((before - lon) / 360);
    // The map ends before the poles.
    return [before, Math.max(-85, Math.min(85, lat))];
  });
}

/** What lies between two circles as a polygon on the map. */
export function annulus(center, least, most) {
  const [outer, inner] = [circle(center, most), circle(center, least)];
  outer.appendLinearRing(inner.getLinearRing(0));
  return outer;
}

/** A circle as a polygon on the map. */
export function circle(center, metres) {
  return circular(center, metres, CORNERS).transform("EPSG:4326", "EPSG:3857");
}
