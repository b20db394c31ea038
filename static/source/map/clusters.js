// Clusters: pins that would hide each other stand as one.

/** Pins nearer than this, in pixels, cannot be told apart or hit with a finger; what stands for several is wider. */
const NEAR = { pins: 26, cluster: 34 };
/** The number of a pin stands so many pixels above its spot, that of a cluster on it. */
const HEAD = 20;
/** Pins nearer than this, in metres on the map, stay together however far one zooms in. */
const SAME = 2;

/**
 * Groups of spots `{ x, y }` on the map, at so many metres a pixel: the first of the list gathers what is near to it.
 *
 * A group has its `members`, stands in their middle, and `isOne` if no zoom takes it apart. No two groups are near to each
 * other.
 */
export function clusters(spots, resolution) {
  let groups = spots.map((it) => group([it]));
  // A group does not stand where its first member does, and may have come near to another.
  for (let before = 0; before !== groups.length; ) {
    before = groups.length;
    groups = gathered(groups, resolution);
  }
  const order = new Map(spots.map((it, at) => [it, at]));
  for (const { members } of groups) members.sort((one, other) => order.get(one) - order.get(other));
  return groups;
}

function gathered(groups, resolution) {
  const left = new Set(groups);
  const made = [];
  for (const first of groups) {
    if (!left.has(first)) continue;
    const near = [...left].filter((it) => hides(it, first, resolution));
    for (const it of near) left.delete(it);
    made.push(near.length > 1 ? group(near.flatMap((it) => it.members)) : first);
  }
  return made;
}

/** Whether two groups would hide each other, or are the same. */
function hides(one, other, resolution) {
  const [up, upOther] = [one, other].map((it) => (it.members.length > 1 ? 0 : HEAD));
  const reach = up && upOther ? NEAR.pins : NEAR.cluster;
  return Math.hypot((one.x - other.x) / resolution, (one.y - other.y) / resolution + up - upOther) < reach;
}

function group(members) {
  const middle = (axis) => members.reduce((sum, it) => sum + it[axis], 0) / members.length;
  return { members, x: middle("x"), y: middle("y"), isOne: members.every((it) => distance(it, members[0]) < SAME) };
}

function distance(one, other) {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
