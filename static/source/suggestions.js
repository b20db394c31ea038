// Suggestions for what is typed, from the server.

import { distance } from "./words.js";

/** Whole texts for the one box. */
export async function completions(text, signal) {
  const found = await answer("/complete", { text }, signal);
  return Array.isArray(found) ? found : [];
}

/** Places and addresses for the field of places. */
export async function places(text, signal) {
  const found = await answer("/api/v1/suggest", { q: text }, signal);
  const seen = new Set();
  // Of two that are written the same the second has its key, or nobody could choose it.
  const isTold = (label) => !seen.has(label) && seen.add(label);
  return (found.suggestions ?? []).map((it) => ({
    text: isTold(it.label) || !it.id ? it.label : `${it.label} ${it.id}`,
    label: it.label.split(", ")[0],
    kind: it.kind,
    within: it.label.split(", ").slice(1).join(", ") || (it.hierarchy ?? []).map((holder) => holder.name).join(", "),
    far: it.distance_m == null ? "" : distance(it.distance_m),
  }));
}

async function answer(path, parameters, signal) {
  const at = new URLSearchParams(location.search).get("at");
  const asked = new URLSearchParams(at ? { ...parameters, at } : parameters);
  const response = await fetch(`${path}?${asked}`, { signal, headers: { accept: "application/json" } });
  return response.ok ? response.json() : [];
}
