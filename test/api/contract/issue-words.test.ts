// Messages about invalid input are in the service's own words.

import { expect, test } from "vitest";
import { z } from "zod";
import { withIssueWords } from "../../../src/api/contract/issue-words.ts";

test.each<[z.ZodType, unknown, string]>([
  [z.string(), undefined, "is required"],
  [z.string(), 1, "must be a string"],
  [z.int(), 1.5, "must be a whole number"],
  [z.number(), "1", "must be a number"],
  [z.boolean(), "yes", "must be true or false"],
  [z.object({}), [], "must be an object"],
  [z.record(z.string(), z.string()), null, "must be an object"],
  [z.array(z.string()), {}, "must be a list"],
  [z.enum(["A", "B"]), "C", "must be one of A, B"],
  [z.enum(["HEALTHY", "STALE"]), "helty", "must be one of HEALTHY, STALE; did you mean HEALTHY?"],
  [z.enum(["A", "B"]), undefined, "is required, and must be one of A, B"],
  [z.literal("A"), "B", "must be A"],
  [z.string().min(1), "", "must not be empty"],
  [z.string().min(8), "short", "must have at least 8 characters"],
  [z.string().max(3), "long", "must have at most 3 characters"],
  [z.string().length(3), "long", "must have exactly 3 characters"],
  [z.array(z.string()).min(1), [], "must not be empty"],
  [z.array(z.string()).max(1), ["a", "b"], "must have at most 1 entry"],
  [z.array(z.string()).max(2), ["a", "b", "c"], "must have at most 2 entries"],
  [z.number().min(5), 4, "must be at least 5"],
  [z.number().max(5), 6, "must be at most 5"],
  [z.number().gt(5), 5, "must be more than 5"],
  [z.number().lt(5), 5, "must be less than 5"],
  [z.number().multipleOf(2), 3, "must be a multiple of 2"],
  [z.string().regex(/^a/), "b", "must match the pattern /^a/"],
  [z.iso.datetime(), "now", "must be a time such as 2026-01-31T12:00:00Z"],
  [z.url(), "x", "must be a URL"],
  [z.strictObject({}), { a: 1, b: 2 }, "has unknown fields: a, b"],
  [z.union([z.string(), z.number()]), true, "has none of the accepted forms"],
  [z.string().regex(/^a/, { error: "must begin with a" }), "b", "must begin with a"],
])("%#: %j is refused: %s", (schema, value, says) => {
  expect(schema.safeParse(value, withIssueWords).error?.issues[0]?.message).toBe(says);
});
