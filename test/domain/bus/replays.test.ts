import fc from "fast-check";
import { expect, test } from "vitest";
import {
  addSummary,
  countEvent,
  emptySummary,
  maxReasons,
  readReplayCursor,
  replayCursorForm,
  type Verdict,
  writeReplayCursor,
} from "../../../src/domain/bus/replays.ts";
import { matchRoute, mayMatch } from "../../../src/domain/bus/route-matching.ts";

const outcome = fc.constantFrom("COMMAND_CREATED" as const, "DRY_RUN" as const, "FAILED" as const);

const verdict: fc.Arbitrary<Verdict> = fc
  .record({
    found: fc.option(outcome),
    why: fc.constantFrom("a", "b", "c"),
    recorded: fc.option(fc.record({ outcome })),
  })
  .map(({ found, why, recorded }) => ({
    matched: found !== null,
    outcome: found,
    reason: found === "FAILED" ? why : null,
    recorded,
  }));

const summaryOf = (verdicts: Verdict[], isSaved = true) => {
  const summary = emptySummary(isSaved);
  for (const each of verdicts) countEvent(summary, each);
  return summary;
};

test("the summaries of the pages add up to the summary of all events", () => {
  fc.assert(
    fc.property(fc.array(fc.array(verdict)), fc.boolean(), (pages, isSaved) => {
      const summary = emptySummary(isSaved);
      for (const page of pages) addSummary(summary, summaryOf(page, isSaved));
      const all = pages.flat();
      expect(summary).toEqual(summaryOf(all, isSaved));
      const having = (wanted: string) => all.filter((each) => each.outcome === wanted).length;
      expect(summary).toMatchObject({
        events: all.length,
        commands: having("COMMAND_CREATED"),
        dryRuns: having("DRY_RUN"),
        failed: having("FAILED"),
        matched: all.filter(({ matched }) => matched).length,
      });
      const counted = summary.reasons.reduce((sum, { count }) => sum + count, 0);
      expect(counted).toBe(summary.failed);
      if (!isSaved) expect(summary.recorded).toBeNull();
    }),
  );
});

test("only the first failure reasons are kept, but all failures are counted", () => {
  const failed = (at: number): Verdict => ({
    matched: true,
    outcome: "FAILED",
    reason: `reason ${at}`,
    recorded: null,
  });
  const summary = summaryOf(Array.from({ length: maxReasons + 5 }, (_, at) => failed(at)));
  expect(summary.failed).toBe(maxReasons + 5);
  expect(summary.reasons).toHaveLength(maxReasons);
  countEvent(summary, failed(0));
  expect(summary.reasons[0]).toEqual({ reason: "reason 0", count: 2 });
});

test("a cursor is unchanged after it is formatted and parsed", () => {
  const cursor = { before: 1767323045679, after: { receivedAt: 0, id: "bev_01K" } };
  const text = writeReplayCursor(cursor);
  expect(text).toMatch(replayCursorForm);
  expect(readReplayCursor(text)).toEqual(cursor);
});

test("mayMatch decides by type and source as matchRoute does", () => {
  const type = fc.constantFrom("a", "a.b", "a.*", "ab", "a.b.*");
  const source = fc.constantFrom("x", "y");
  const match = fc.record({ type, source }, { requiredKeys: ["type"] });
  const event = fc.record({ type: type.filter((text) => !text.endsWith("*")), source });
  fc.assert(
    fc.property(match, event, (wanted, given) => {
      const whole = { specversion: "1.0" as const, id: "1", time: "", ...given };
      expect(mayMatch({ match: wanted }, given)).toBe(matchRoute({ match: wanted }, whole).matched);
    }),
  );
});
