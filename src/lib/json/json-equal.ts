/**
 * Compares JSON values, ignoring key order. The size of `one` limits the work, because the
 * comparison stops at the first difference. The caller must limit the depth of both values.
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

/** Compares the JSON of both values, which omits undefined members. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (one === undefined || other === undefined) return one === other;
  return jsonEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));
}
