import { describe, expect, test } from "vitest";
import { nouns } from "../../../src/api/contract/nouns.ts";

const described = Object.values(nouns);

describe.each(described)("$noun", ({ filters, summaries }) => {
  test("has a list", () => {
    expect(summaries.list).toMatch(/^List /);
  });

  test.each(filters)("the schema of the filter $name has a description", ({ summary }) => {
    expect(summary).toMatch(/\w$|\)$|`$/);
  });
});
