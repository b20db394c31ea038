// What has a pin: the entries of the list beside the map, and points that the page names.

/** No page has so many; more would only hide each other. */
const MOST = 500;

/** The hits, in the order of the list, as `{ number, lon, lat, label, way, isFar, title, link, copy, card }`. */
export function hits(data) {
  const cards = [...document.querySelectorAll("article.card[data-lat]")].map((card) => {
    const title = card.querySelector(":is(h2, h3) a");
    const { number, lon, lat, label, way, far } = card.dataset;
    const copy = card.querySelector(".copy")?.href;
    return { number: Number(number), lon: Number(lon), lat: Number(lat), label, way, isFar: far !== undefined, card, copy, title: title?.textContent, link: title?.href };
  });
  const points = (data.points ?? []).map((it) => {
    const card = it.number ? document.getElementById(`hit-${it.number}`) : null;
    const title = card?.querySelector(":is(h2, h3) a")?.textContent ?? it.label;
    return { ...it, card, title, number: it.number ?? null };
  });
  const isPlaced = (it) => Number.isFinite(it.lon) && Number.isFinite(it.lat) && Math.abs(it.lat) <= 90;
  return [...cards, ...points].filter(isPlaced).slice(0, MOST);
}

/** What the page says about the ground; nothing if it says nothing. */
export function mapData() {
  try {
    return JSON.parse(document.getElementById("map-data")?.textContent ?? "{}") ?? {};
  } catch {
    return {};
  }
}
