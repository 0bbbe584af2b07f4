// Writes each JSON value in exactly one form (RFC 8785), for hashes and comparisons.

/** Omits undefined members. Throws TypeError for anything else that JSON cannot represent. */
export function canonicalJson(value: unknown): string {
  if (value === null) return "null";
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "boolean":
      return String(value);
    case "number":
      if (Number.isFinite(value)) return String(value);
      throw new TypeError(`JSON has no ${value}.`);
    case "object":
      if (Array.isArray(value)) return canonicalArray(value);
      if (isPlain(value)) return canonicalObject(value);
      throw new TypeError("JSON has no class instances.");
    default:
      throw new TypeError(`JSON has no ${typeof value}.`);
  }
}

function canonicalArray(items: readonly unknown[]): string {
  let text = "";
  for (const item of items) text += `${text && ","}${canonicalJson(item)}`;
  return `[${text}]`;
}

function canonicalObject(members: Readonly<Record<string, unknown>>): string {
  let text = "";
  for (const key of Object.keys(members).sort()) {
    const value = members[key];
    if (value !== undefined) text += `${text && ","}${JSON.stringify(key)}:${canonicalJson(value)}`;
  }
  return `{${text}}`;
}

function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
