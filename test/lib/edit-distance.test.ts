// Characters put in, left out and replaced.

import { expect, test } from "vitest";
import { editDistance } from "../../src/lib/edit-distance.ts";

test.each([
  ["", "", 0],
  ["abc", "abc", 0],
  ["", "abc", 3],
  ["PROT", "PORT", 2],
  ["HSOT", "HOST", 2],
  ["TLS_CERT", "TLS_CERT_FILE", 5],
  ["kitten", "sitting", 3],
])("'%s' and '%s': %i", (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance);
  expect(editDistance(b, a)).toBe(distance);
});
