// The footprint of the chosen page: every place that it is about as a dot, the main one largest.

import Feature from "ol/Feature.js";
import Point from "ol/geom/Point.js";
import VectorLayer from "ol/layer/Vector.js";
import { fromLonLat } from "ol/proj.js";
import VectorSource from "ol/source/Vector.js";
import CircleStyle from "ol/style/Circle.js";
import Fill from "ol/style/Fill.js";
import Stroke from "ol/style/Stroke.js";
import Style from "ol/style/Style.js";
import { colours } from "./colours.js";

/** Radii of dots in pixels: of the least place of a page, and how much larger the main one is. */
const RADIUS = { least: 4, more: 7 };

/** The dots of one page at a time, on a layer of their own. */
export class Footprint {
  constructor() {
    this.layer = new VectorLayer({ source: new VectorSource({ wrapX: true }), zIndex: 2 });
  }

  /** Shows the places of a stored page; its own page knows them. */
  async show(link) {
    this.hide();
    const address = link && new URL(link, location.href);
    if (!address || address.origin !== location.origin || !address.pathname.startsWith("/page/")) return;
    const request = new AbortController();
    this.request = request;
    try {
      const response = await fetch(address, { signal: request.signal });
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const { points } = JSON.parse(page.getElementById("map-data")?.textContent ?? "{}");
      if (!request.signal.aborted) this.draw(points ?? []);
    } catch {
      // Without its footprint a page still has its pin.
    }
  }

  hide() {
    this.request?.abort();
    this.layer.getSource().clear();
  }

  draw(points) {
    const most = Math.max(...points.map((it) => it.weight ?? 1), 1e-9);
    const { accent } = colours();
    for (const { lon, lat, weight = 1 } of points) {
      if (!Number.isFinite(lon) || !Number.isFinite(lat)) continue;
      const dot = new Feature(new Point(fromLonLat([lon, lat])));
      const image = new CircleStyle({
        radius: RADIUS.least + (RADIUS.more * weight) / most,
        fill: new Fill({ color: `${accent}66` }),
        stroke: new Stroke({ color: accent, width: 2 }),
      });
      dot.setStyle(new Style({ image }));
      this.layer.getSource().addFeature(dot);
    }
  }
}
