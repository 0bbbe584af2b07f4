// How long a long text or a large result takes. The limits are several times what an idle machine
// needs.

import { expect, test } from "vitest";
import { resultLimits } from "../../src/domain/limits.ts";
import { structuredResult } from "../../src/domain/results/structured-result.ts";
import { redactText } from "../../src/domain/secrets/redaction.ts";

test("a megabyte of text that resembles URLs takes no longer than other text", () => {
  const started = performance.now();
  for (const part of ["://a:", "://", "a.", ":", "://a:b"]) {
    redactText(part.repeat(1_000_000 / part.length));
  }
  expect(performance.now() - started).toBeLessThan(2000);
});

test("a large output is read quickly", () => {
  const listOf = (list: object) => structuredResult({ list } as never)?.list;
  const many = Array.from({ length: 1_000_000 }, () => ({ id: "x" }));
  const text = "x".repeat(10_000_000);
  const began = performance.now();
  expect(listOf({ rows: many })?.total).toBe(1_000_000);
  expect(listOf({ rows: [{ text }], title: text })?.title).toHaveLength(resultLimits.labelLength);
  expect(performance.now() - began).toBeLessThan(2000);
});
