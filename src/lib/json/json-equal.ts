// Compares two JSON values: numbers by value, and objects without regard to the order of their
// keys.

/**
 * Whether the values are equal. Stops at the first difference, so the size of `one` limits the
 * work. The depth of both values must be limited.
 */
export function jsonEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, at) => jsonEqual(item, other[at]));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  const sameMembers = keys.every(
    (key) => Object.hasOwn(other, key) && jsonEqual(one[key], other[key]),
  );
  return sameMembers && Object.keys(other).length === keys.length;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
