// Moving the map, for those who like motion.

const still = matchMedia("(prefers-reduced-motion: reduce)");

/** Moves a view; at once for whoever wants no motion. */
export function move(view, to) {
  view.cancelAnimations();
  view.animate({ ...to, duration: move.isWanted ? 250 : 0 });
}

Object.defineProperty(move, "isWanted", { get: () => !still.matches });
