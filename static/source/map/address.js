// The address of the page holds what the map shows and what was drawn on it.

import { toLonLat } from "ol/proj.js";

/** How wide the world is on the map, in its own metres. */
export const WORLD = 2 * Math.PI * 6378137;
/** What another region puts an end to: the old region, its radius, the choice of a place, the page in the list. */
const ENDED = ["bbox", "circle", "polygon", "drawn_for", "km", "from_km", "choose", "chosen_for", "page", "skip", "view"];

/** The view that the address asks for, as `{ zoom, lat, lon }`. */
export function viewOfAddress() {
  const text = new URLSearchParams(location.search).get("view") ?? "";
  const [zoom, lat, lon] = text.split("/").map(Number);
  const known = text.split("/").length === 3 && [zoom, lat, lon].every(Number.isFinite);
  return known && Math.abs(lat) <= 90 && Math.abs(lon) <= 540 ? { zoom, lat, lon } : null;
}

/** Writes the view into the address without leaving the page. */
export function keepView(view) {
  const parameters = new URLSearchParams(location.search);
  parameters.set("view", written(view));
  history.replaceState(history.state, "", `${location.pathname}?${readable(parameters)}${location.hash}`);
}

/** Searches within a region: `name` is `bbox`, `circle` or `polygon`; `isMove` if the map moved and nobody pressed a button. */
export function searchWithin(name, region, view, isMove = false) {
  const parameters = new URLSearchParams(location.search);
  for (const ended of ENDED) parameters.delete(ended);
  parameters.set(name, region);
  parameters.set("view", written(view));
  const address = `/search?${readable(parameters)}`;
  document.dispatchEvent(new CustomEvent("strabo:search", { detail: { address, isMove } }));
}

/** The signs that a view is made of need no escapes, and people read addresses. */
function readable(parameters) {
  return parameters.toString().replaceAll("%2F", "/").replaceAll("%2C", ",");
}

/** A box on the map as `west,south,east,north`; across the date line the west is greater than the east. */
export function boxText(extent) {
  const [west, south] = toLonLat([extent[0], extent[1]]);
  const [east, north] = toLonLat([extent[2], extent[3]]);
  const isWorld = extent[2] - extent[0] >= WORLD;
  const [from, to] = isWorld ? [-180, 180] : [around(west), around(east)];
  return [from, south, to, north].map(short).join(",");
}

/** A circle as `lat,lon,metres`. */
export function circleText([lon, lat], metres) {
  return [short(lat), short(around(lon)), Math.round(metres)].join(",");
}

/** A polygon as `lon lat,lon lat,…`. */
export function polygonText(corners) {
  return corners.map(([lon, lat]) => `${short(around(lon))} ${short(lat)}`).join(",");
}

function written(view) {
  const [lon, lat] = toLonLat(view.getCenter());
  return [Number(view.getZoom().toFixed(2)), short(lat), short(around(lon))].join("/");
}

/** A longitude between -180 and 180. */
function around(lon) {
  return ((((lon + 180) % 360) + 360) % 360) - 180;
}

/** Five decimals of a degree are a metre. */
function short(degrees) {
  return Number(degrees.toFixed(5));
}
