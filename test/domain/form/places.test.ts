import { describe, expect, test } from "vitest";
import { putAt, removeAt, valueAt } from "../../../src/domain/form/places.ts";
import type { Json, JsonObject } from "../../../src/domain/payload/json.ts";

describe("places", () => {
  const put = (payload: JsonObject, path: string, value: Json) => {
    const copy = structuredClone(payload);
    putAt(copy, path.split("."), value, (place) => place.join(".") === "list");
    return copy;
  };

  test.each<[payload: JsonObject, path: string, is: JsonObject]>([
    [{}, "a", { a: 1 }],
    [{ a: { b: 2 } }, "a.c", { a: { b: 2, c: 1 } }],
    [{ a: 5 }, "a.b", { a: { b: 1 } }],
    [{ a: [1, 2] }, "a.1", { a: [1, 1] }],
    [{ a: [2] }, "a.1", { a: [2, 1] }],
    [{}, "list.0", { list: [1] }],
    [{}, "list.0.x", { list: [{ x: 1 }] }],
    [{}, "other.0", { other: { 0: 1 } }],
    [{}, "constructor.x", { constructor: { x: 1 } } as unknown as JsonObject],
  ])("a value put into %j at %s gives %j", (payload, path, is) => {
    expect(put(payload, path, 1)).toEqual(is);
    expect(valueAt(put(payload, path, 1), path.split("."))).toBe(1);
  });

  test.each([
    ["a.2", "a has length 1: the next item is a.1"],
    ["a.x", "a is a list: give the number of an item, as in a.0"],
    ["a.01", "a is a list: give the number of an item, as in a.0"],
  ])("the place %s is invalid", (path, says) => {
    expect(() => put({ a: [1] }, path, 1)).toThrow(says);
  });

  test("removes fields and items of lists", () => {
    const payload = { a: { b: 1 }, l: [1, 2, 3] };
    removeAt(payload, ["a", "b"]);
    removeAt(payload, ["l", "1"]);
    removeAt(payload, ["x", "y"]);
    expect(payload).toEqual({ a: {}, l: [1, 3] });
  });
});
