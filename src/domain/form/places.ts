// Paths in a payload. Each key is a field's name, or an index in a list.

import { type Json, type JsonObject, ownValue } from "../payload/json.ts";

export type Path = readonly string[];

export function valueAt(payload: Json | undefined, path: Path): Json | undefined {
  return path.reduce<Json | undefined>((at, key) => ownValue(at, key), payload);
}

/** Creates missing containers. Throws a RangeError with the reason if a list has no such place. */
export function putAt(
  payload: JsonObject,
  path: Path,
  value: Json,
  isList: (path: Path) => boolean = () => false,
): void {
  let at: JsonObject | Json[] = payload;
  path.forEach((key, depth) => {
    const isLast = depth === path.length - 1;
    const inner = isLast ? value : containerAt(at, path, depth, isList);
    if (Array.isArray(at)) putIntoList(at, key, inner, path.slice(0, depth));
    else at[key] = inner;
    if (!isLast) at = inner as JsonObject | Json[];
  });
}

/** Removes a field or a list item. An object that becomes empty is kept. */
export function removeAt(payload: JsonObject, path: Path): void {
  const key = path.at(-1);
  const within = valueAt(payload, path.slice(0, -1));
  if (key === undefined || typeof within !== "object" || within === null) return;
  if (Array.isArray(within)) within.splice(Number(key), 1);
  else delete within[key];
}

/** Returns whether one of the paths equals `path` or is a prefix of it. */
export function isCovered(path: Path, paths: readonly Path[]): boolean {
  return paths.some((one) => one.length <= path.length && one.every((key, at) => key === path[at]));
}

/** Returns whether `path` is a prefix of one of the paths. */
export function hasPartOf(path: Path, paths: readonly Path[]): boolean {
  return paths.some((one) => one.length > path.length && path.every((key, at) => key === one[at]));
}

function containerAt(
  at: JsonObject | Json[],
  path: Path,
  depth: number,
  isList: (path: Path) => boolean,
): JsonObject | Json[] {
  const known = ownValue(at, path[depth] ?? "");
  if (typeof known === "object" && known !== null) return known;
  return isList(path.slice(0, depth + 1)) ? [] : {};
}

function putIntoList(list: Json[], key: string, value: Json, path: Path): void {
  const name = path.join(".");
  if (!/^(0|[1-9]\d{0,5})$/.test(key)) {
    throw new RangeError(`${name} is a list: give the number of an item, as in ${name}.0`);
  }
  if (Number(key) > list.length) {
    throw new RangeError(
      `${name} has length ${list.length}: the next item is ${name}.${list.length}`,
    );
  }
  list[Number(key)] = value;
}
