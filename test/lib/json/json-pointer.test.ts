// Includes the examples of RFC 6901.

import { expect, test } from "vitest";
import { lookUp } from "../../../src/lib/json/json-pointer.ts";

const document = {
  foo: ["bar", "baz"],
  "": 0,
  "a/b": 1,
  "c%d": 2,
  'k"l': 6,
  " ": 7,
  "m~n": 8,
  "~1": 9,
  "a.b": 10,
  é: 11,
  "😀": 12,
  "01": 13,
  nothing: null,
  deep: [{ "0": [false], "": { "": 15 } }],
};

test.each([
  ["", document],
  ["/foo", ["bar", "baz"]],
  ["/foo/0", "bar"],
  ["/", 0],
  ["/a~1b", 1],
  ['/k"l', 6],
  ["/m~0n", 8],
  ["/~01", 9],
  ["/😀", 12],
  ["/deep/0//", 15],
  ["/nothing", null],
  ["/deep/0/0/0", false],
])("%j finds %j", (pointer, value) => {
  expect(lookUp(document, pointer)).toEqual({ found: true, value });
});

const nowhere =
  "/none /foo/2 /foo/- /foo/01 /foo/+1 /foo/1e0 /foo/-1 /foo/0/0 /foo/length /foo/0/length " +
  "/foo/map /constructor /constructor/name /__proto__ /__proto__/a /nothing/x /a/b /a%20b " +
  "/e\u0301 foo /m~n /~2 /~ #/foo";

test.each(nowhere.split(" "))("%j finds nothing", (pointer) => {
  expect(lookUp(document, pointer)).toEqual({ found: false });
});

test.each([undefined, null, 1, "text"])("a pointer to a part of %j finds nothing", (value) => {
  expect(lookUp(value, "/0")).toEqual({ found: false });
  expect(lookUp(value, "")).toEqual(
    value === undefined ? { found: false } : { found: true, value },
  );
});
