// The colours of the map, light and dark; those of pins and grounds are the page's own.

const LIGHT = {
  sea: "#cfe2e8",
  land: "#f5f2ea",
  river: "#9dc3cf",
  border: "#8d8296",
  region: "#cbc4d0",
  label: "#39404b",
  quiet: "#69717d",
  halo: "#f5f2eae6",
  green: "#d9e7cd",
  building: "#e2dccf",
  major: "#e9c98a",
  minor: "#ffffff",
  path: "#d8cfbd",
  rail: "#b5afba",
};
const DARK = {
  sea: "#0f1b23",
  land: "#222930",
  river: "#2c4a58",
  border: "#7a7488",
  region: "#413f4b",
  label: "#d3d9e0",
  quiet: "#98a2ae",
  halo: "#1a2026e6",
  green: "#25352a",
  building: "#2e353d",
  major: "#6b5a38",
  minor: "#3b434d",
  path: "#333a42",
  rail: "#4a4754",
};

const dark = matchMedia("(prefers-color-scheme: dark)");

/** The colours that are wanted now. */
export function colours() {
  const page = getComputedStyle(document.documentElement);
  const accent = page.getPropertyValue("--accent").trim() || "#0b5c7a";
  return { ...(dark.matches ? DARK : LIGHT), accent, wash: `${accent}1f` };
}

/** Tells whenever other colours are wanted. */
export function whenRecoloured(act) {
  dark.addEventListener("change", act);
}
