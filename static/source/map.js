// The map beside a list of hits, a place or a stored page.

import OlMap from "ol/Map.js";
import View from "ol/View.js";
import Feature from "ol/Feature.js";
import Point from "ol/geom/Point.js";
import { boundingExtent, buffer, createEmpty, extend, getArea, isEmpty } from "ol/extent.js";
import { fromLonLat } from "ol/proj.js";
import { element } from "./element.js";
import { viewOfAddress } from "./map/address.js";
import { area } from "./map/area.js";
import { TOWN_ZOOM, baseLayers } from "./map/base.js";
import { Drawing } from "./map/drawing.js";
import { Footprint } from "./map/footprint.js";
import { annulus, circle, clearance, groundLayer, polygons } from "./map/ground.js";
import { Handles } from "./map/handles.js";
import { hits, mapData } from "./map/hits.js";
import { interactions } from "./map/motion.js";
import { Pins } from "./map/pins.js";
import { attribution, tools } from "./map/tools.js";
import { words } from "./words.js";

/** A place whose size is not known is shown as a town is. */
const PLACE_ZOOM = 9.5;
/** Closer than this a single place is not shown at first: what is around it tells where it is. */
const FIRST_ZOOM = 15;
/** A hit farther from what was asked about than so many of its radii is left outside the first view, if others are not. */
const FAR = 6;
/** The world as it is looked at: parted in the Bering Strait, where no land is, and without the Antarctic. */
const WORLD_CORNERS = [[-169, -57], [191, 83.7]];
/** Relations of place that are directions. */
const DIRECTION = /^(north|south|east|west)/;
/** Pins stand above their points, and tools lie at the edges: most of them on the right. */
const PADDING = { wide: [70, 90, 60, 60], narrow: [60, 90, 40, 24] };

const target = document.getElementById("map");
if (target && !target.querySelector(".host")) show(target);

function show(target) {
  const host = element("div", { class: "host", tabindex: "0", role: "application", "aria-label": words.mapKeys });
  target.prepend(host);

  const streets = element("p", { class: "map-note", role: "status" });
  const ground = groundLayer();
  const footprint = new Footprint();
  const { layers: kept, keep, clear } = clearance();
  const first = mapData();
  const base = baseLayers(first);
  const map = new OlMap({
    target: host,
    layers: [...base, ground, footprint.layer, ...kept],
    controls: [],
    interactions: interactions(),
    view: new View({
      center: [0, 2e6],
      zoom: 1.5,
      minZoom: 0,
      maxZoom: 19,
      enableRotation: false,
      extent: [-Infinity, -2e7, Infinity, 2e7],
      constrainOnlyCenter: true,
    }),
  });
  const pins = new Pins(map);
  const handles = new Handles(map);
  pins.whenGrouped = keep;
  pins.whenChosen = (hit) => footprint.show(hit?.copy ?? hit?.link);

  const isSearch = Boolean(target.closest(".split"));
  const drawing = isSearch ? new Drawing(map, ground) : undefined;
  const searched = isSearch ? area(map) : undefined;
  target.append(tools(map, drawing), streets, attribution(first.credits));
  if (searched) target.append(searched.bar);

  /** Shows what the page has found. */
  function take() {
    // A map that is not seen has no size to fit anything into.
    map.un("change:size", take);
    if (!map.getSize()?.[0]) return void map.on("change:size", take);
    delete target.dataset.ready;
    const data = mapData();
    const found = hits(data);
    const middle = data.center?.[0] ?? found[0]?.lon ?? data.rings?.[0]?.[0]?.[0] ?? 0;
    const shapes = round(data) ?? polygons(data.rings, middle);
    // A box is often all of the map, which would only become duller.
    const features = shapes.map((geometry) => new Feature({ geometry, isHollow: data.drawn === "box" }));
    ground.getSource().clear(true);
    ground.getSource().addFeatures(features);
    if (data.isDot) ground.getSource().addFeature(new Feature(new Point(fromLonLat(data.center))));
    pins.set(found, middle);
    look(map, data, pins, shapes);
    handles.set(features[0], data);
    searched?.rest();
    map.render();
  }

  map.on("rendercomplete", () => {
    const close = map.getView().getZoom() >= TOWN_ZOOM;
    streets.textContent = close && !hasTown(base[1], map) ? words.noStreets : "";
    target.dataset.ready = "true";
  });
  // The map moves under its tools.
  const covers = () => clear(map, [...target.querySelectorAll(".map-tools button, .map-area > :not([hidden]), .map-from")]);
  map.on("moveend", covers);
  take();
  document.addEventListener("strabo:found", take);
  document.addEventListener("strabo:show", (event) => {
    // A map that was not seen until now has its pins to take yet.
    map.updateSize();
    map.renderSync();
    pins.show(event.detail);
  });
}

/** The circle of a query, or the ring between two; nothing if it has none. */
function round({ center, radius, inner }) {
  if (!center || !radius) return undefined;
  return [inner ? annulus(center, inner, radius) : circle(center, radius)];
}

/** True if the tiles of towns in view have something to show; pictures always have. */
function hasTown(layer, map) {
  return !layer || layer.getFeaturesInExtent(map.getView().calculateExtent(map.getSize())).length > 0;
}

/** Shows what the address asks for; otherwise the ground with the hits on it. */
function look(map, data, pins, shapes) {
  const view = map.getView();
  const asked = viewOfAddress();
  if (asked) {
    view.setCenter(fromLonLat([asked.lon, asked.lat]));
    view.setZoom(asked.zoom);
    return;
  }
  const extent = createEmpty();
  const extents = shapes.map((it) => it.getExtent()).sort((one, other) => getArea(other) - getArea(one));
  // What lies in a direction has no end: the hits tell how far to look. Of a country with islands overseas the largest
  // part is shown.
  const isOpen = DIRECTION.test(data.relation) && pins.coordinates.length > 0;
  if (isOpen) extend(extent, known({ center: data.center }));
  else if (extents.length) extend(extent, extents[0]);
  const near = pins.coordinates.filter((it) => data.relation !== "near" || isEmpty(extent) || !isFar(extent, it));
  const shown = near.length ? near : pins.coordinates;
  if (shown.length) extend(extent, boundingExtent(shown));
  const isKnown = !isEmpty(extent);
  if (!isKnown) extend(extent, known(data));
  if (isEmpty(extent)) view.fit(boundingExtent(WORLD_CORNERS.map((it) => fromLonLat(it))), { size: map.getSize() });
  else fit(map, extent, (isKnown && !isMiddle(extent, data)) || data.frame ? FIRST_ZOOM : PLACE_ZOOM);
}

/** True if all there is to show is the middle of a place: its streets would be looked at in vain. */
function isMiddle(extent, { center }) {
  return center && getArea(extent) < 1 && isFar(buffer(extent, 10), fromLonLat(center)) === false;
}

/** The box of a place without an outline, or where it is. */
function known({ frame, center }) {
  const [west, south, east, north] = frame ?? [];
  const box = [[west, south], [east < west ? east + 360 : east, north]];
  const corners = frame ? box : center ? [center] : [];
  return corners.length ? boundingExtent(corners.map((it) => fromLonLat(it))) : createEmpty();
}

function isFar([west, south, east, north], [x, y]) {
  const radius = (east - west) / 2;
  return Math.hypot(x - (west + east) / 2, y - (south + north) / 2) > FAR * radius;
}

function fit(map, extent, maxZoom) {
  const size = map.getSize() ?? [0, 0];
  const padding = size[0] < 480 ? PADDING.narrow : PADDING.wide;
  map.getView().fit(extent, { padding, maxZoom, size });
}
