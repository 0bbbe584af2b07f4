// Parses and follows JSON Pointers (RFC 6901), such as `/data/items/0`.

type Found = { found: true; value: unknown } | { found: false };

/** Returns null if the pointer is invalid. The empty pointer means the whole value. */
export function parsePointer(pointer: string): string[] | null {
  if (pointer === "") return [];
  if (!pointer.startsWith("/") || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split("/")
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Parses a pointer in the form of a URI fragment: `#/a%20b`. */
export function parsePointerFragment(fragment: string): string[] | null {
  if (!fragment.startsWith("#")) return null;
  try {
    return parsePointer(decodeURIComponent(fragment.slice(1)));
  } catch {
    return parsePointer(fragment.slice(1));
  }
}

export function pointerStep(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Finds nothing if the pointer is invalid. */
export function lookUp(value: unknown, pointer: string | readonly string[] | null): Found {
  const steps = typeof pointer === "string" ? parsePointer(pointer) : pointer;
  if (steps === null) return { found: false };
  let here = value;
  for (const step of steps) {
    if (!has(here, step)) return { found: false };
    here = here[step];
  }
  return here === undefined ? { found: false } : { found: true, value: here };
}

/** Only own properties and array items count. */
function has(value: unknown, step: string): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(step)) return false;
  return Object.hasOwn(value, step);
}

/** Throws RangeError if there is no value at the pointer. */
export function writePointer(root: object, pointer: string, value: unknown): void {
  const steps = parsePointer(pointer);
  const last = steps?.pop();
  const parent = lookUp(root, pointer.slice(0, Math.max(0, pointer.lastIndexOf("/"))));
  if (last === undefined || !parent.found || !has(parent.value, last)) {
    throw new RangeError(`there is nothing at ${pointer}`);
  }
  parent.value[last] = value;
}
