// Clusters: pins that would hide each other stand as one.

/** Pins nearer than this, in pixels, cannot be told apart or hit with a finger. */
const NEAR = 26;
/** Pins nearer than this, in metres on the map, stay together however far one zooms in. */
const SAME = 2;

/**
 * Groups of spots `{ x, y }` on the map, at so many metres a pixel: the first of the list gathers what is near to it.
 *
 * A group has its `members`, stands in their middle, and `isOne` if no zoom takes it apart.
 */
export function clusters(spots, resolution) {
  const reach = NEAR * resolution;
  const left = new Set(spots);
  const groups = [];
  for (const first of spots) {
    if (!left.has(first)) continue;
    const members = [...left].filter((it) => Math.hypot(it.x - first.x, it.y - first.y) < reach);
    for (const member of members) left.delete(member);
    const isOne = members.every((it) => Math.hypot(it.x - first.x, it.y - first.y) < SAME);
    const middle = (axis) => members.reduce((sum, it) => sum + it[axis], 0) / members.length;
    groups.push({ members, x: middle("x"), y: middle("y"), isOne });
  }
  return groups;
}
