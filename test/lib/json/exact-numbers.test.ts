import { expect, test } from "vitest";
import { isExact, problemOfNumbers } from "../../../src/lib/json/exact-numbers.ts";

test.each([
  ["9007199254740991", true],
  ["9007199254740992", false],
  ["-9007199254740993", false],
  ["1e400", false],
  ["0.1234567890123456789", true],
])("%s is exact: %s", (text, exact) => {
  expect(isExact(JSON.parse(text))).toBe(exact);
});

test.each([
  ['{"a":[1,"9007199254740993",null,true]}', null],
  ["9007199254740993", "the number is too large: "],
  ['{"a":[0,{"b/c":9007199254740993}]}', "the number at /a/1/b~1c is too large: "],
])("the problem of %s begins with %j", (text, begins) => {
  const problem = problemOfNumbers(JSON.parse(text));
  if (begins === null) expect(problem).toBeNull();
  else expect(problem).toContain(begins);
});
