// The base map: vector tiles of the world, and of towns where they are known.

import MVT from "ol/format/MVT.js";
import TileLayer from "ol/layer/Tile.js";
import VectorTileLayer from "ol/layer/VectorTile.js";
import VectorTileSource from "ol/source/VectorTile.js";
import XYZ from "ol/source/XYZ.js";
import Fill from "ol/style/Fill.js";
import Stroke from "ol/style/Stroke.js";
import Style from "ol/style/Style.js";
import Text from "ol/style/Text.js";
import { createXYZ } from "ol/tilegrid.js";
import { colours, whenRecoloured } from "./colours.js";

/** The world's tiles end here, unless the page says otherwise, and are enlarged beyond. */
const DEEPEST = 6;
/** Towns have tiles between these. */
const TOWN = { minZoom: 12, maxZoom: 18 };
/** A tile covers as many pixels as four usual ones, and so a page asks for a quarter of them; it is one zoom behind. */
const TILE = 512;
/** Where the map shows towns, counted as the view counts. */
export const TOWN_ZOOM = TOWN.minZoom + 1;

/** The layers of the base map: the world, and above it the towns; or pictures, if the operator has a server of them. */
export function baseLayers({ xyz, zooms }) {
  if (xyz) return [new TileLayer({ source: new XYZ({ url: xyz.url, crossOrigin: null }) })];
  const world = layer("/tiles", { maxZoom: zooms?.[1] ?? DEEPEST });
  const town = layer("/streets", TOWN);
  town.setMinZoom(TOWN_ZOOM - 0.01);
  const recolour = () => {
    world.setStyle(worldStyle(colours()));
    town.setStyle(townStyle(colours()));
    world.setBackground(colours().sea);
  };
  recolour();
  whenRecoloured(recolour);
  return [world, town];
}

function layer(path, zooms) {
  const format = new MVT();
  const source = new VectorTileSource({
    format,
    url: `${path}/{z}/{x}/{y}.mvt`,
    tileGrid: createXYZ({ ...zooms, tileSize: TILE }),
    transition: 0,
  });
  source.setTileLoadFunction((tile, address) => {
    tile.setLoader(async (extent, _, projection) => {
      const bytes = await fetched(address);
      if (!bytes) return tile.onError();
      const read = () => format.readFeatures(bytes, { extent, featureProjection: projection });
      tile.setFeatures(bytes.byteLength ? withoutEchoes(read()) : []);
    });
  });
  return new VectorTileLayer({ source, declutter: true });
}

/** The bytes of a tile; empty where the server has nothing, undefined if it does not answer. */
async function fetched(address) {
  try {
    const response = await fetch(address);
    if (response.status === 204 || response.status === 404) return new ArrayBuffer(0);
    return response.ok ? await response.arrayBuffer() : undefined;
  } catch {
    return undefined;
  }
}

/** Streets are named along their lines where there are lines, and only elsewhere at their points. */
function withoutEchoes(features) {
  const hasLines = features.some((it) => it.get("layer") === "roads" && it.get("name"));
  return hasLines ? features.filter((it) => it.get("layer") !== "streets") : features;
}

function worldStyle(colour) {
  const land = area(colour.land);
  const water = area(colour.sea);
  const border = line(colour.border, 1.2);
  const disputed = line(colour.border, 1, [4, 4]);
  const region = line(colour.region, 1, [6, 3]);
  const rivers = [0.6, 1, 1.5].map((width) => line(colour.river, width));
  return (feature, resolution) => {
    switch (feature.get("layer")) {
      case "land":
        return land;
      case "lakes":
        return water;
      case "rivers":
        return rivers[Math.min(2, Math.round(1200 / resolution))];
      case "borders":
        return feature.get("disputed") ? disputed : border;
      case "regions":
        return region;
      case "cities":
        return city(colour, feature);
      default:
        return undefined;
    }
  };
}

function townStyle(colour) {
  const plain = {
    green: area(colour.green),
    water: area(colour.sea),
    buildings: area(colour.building),
    coast: line(colour.river, 1),
    districts: line(colour.region, 1, [6, 3]),
  };
  return (feature, resolution) => {
    const name = feature.get("name");
    switch (feature.get("layer")) {
      case "roads":
        return road(colour, feature, resolution);
      case "places":
        return named(colour, name, feature.get("rank") ? 11 : 13, feature.get("rank") ? colour.quiet : colour.label);
      case "streets":
        return named(colour, name, 11, colour.quiet);
      case "houses":
        return named(colour, feature.get("number"), 10, colour.quiet);
      default:
        return plain[feature.get("layer")];
    }
  };
}

/** Widths of roads in metres; none is thinner than a pixel. */
const WIDTHS = { major: 14, minor: 8, path: 3, rail: 3 };

function road(colour, feature, resolution) {
  const kind = feature.get("class");
  const width = Math.max(kind === "major" ? 2 : 1, (WIDTHS[kind] ?? 3) / resolution);
  const stroke = new Stroke({ color: colour[kind] ?? colour.path, width, lineDash: kind === "rail" ? [6, 4] : undefined });
  const text = feature.get("name") && resolution < 5 ? lettering(colour, feature.get("name"), 11, colour.quiet, "line") : undefined;
  return new Style({ stroke, text, zIndex: kind === "major" ? 2 : 1 });
}

function city(colour, feature) {
  const rank = feature.get("rank") ?? 10;
  const size = rank <= 2 ? 14 : rank <= 5 ? 13 : 12;
  const text = lettering(colour, feature.get("name"), size, colour.label);
  if (feature.get("capital")) text.setFont(`600 ${text.getFont()}`);
  return new Style({ text, zIndex: -rank });
}

function named(colour, name, size, ink) {
  return name ? new Style({ text: lettering(colour, name, size, ink) }) : undefined;
}

function lettering(colour, text, size, ink, placement = "point") {
  return new Text({
    text,
    placement,
    font: `${size}px system-ui, "Noto Sans", "DejaVu Sans", sans-serif`,
    fill: new Fill({ color: ink }),
    stroke: new Stroke({ color: colour.halo, width: 3 }),
    padding: [2, 4, 2, 4],
  });
}

function area(color) {
  return new Style({ fill: new Fill({ color }) });
}

function line(color, width, lineDash) {
  return new Style({ stroke: new Stroke({ color, width, lineDash }) });
}
