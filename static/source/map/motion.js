// Moving the map, for those who like motion and for those who do not.

import DragPan from "ol/interaction/DragPan.js";
import { defaults } from "ol/interaction/defaults.js";

/** The keys that move something, with the way they move it: right and down. */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Moves a view; at once for whoever wants no motion. */
export function move(view, to) {
  view.cancelAnimations();
  view.animate({ ...to, duration: move.isWanted ? 250 : 0 });
}

Object.defineProperty(move, "isWanted", { get: () => !still.matches });

/** How hands and keys move the map: without gliding on for whoever wants no motion. */
export function interactions() {
  const common = { altShiftDragRotate: false, pinchRotate: false };
  if (move.isWanted) return defaults(common);
  return defaults({ ...common, dragPan: false, zoomDuration: 0 }).extend([new DragPan()]);
}
