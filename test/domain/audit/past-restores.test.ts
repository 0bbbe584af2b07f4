// The restores that a row of the trail records, and which of them may have replaced an anchor's
// row.

import { expect, test } from "vitest";
import {
  maxRestores,
  newestRestores,
  restoresOf,
  restoreThatMayHaveReplaced,
} from "../../../src/domain/audit/past-restores.ts";
import type { Json } from "../../../src/domain/payload/json.ts";

const link = (seq: number, letter = "a") => ({ seq, hash: letter.repeat(64) });
const time = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString();

const own = { restoredAt: time(2), by: "ada", auditHead: link(3), replacedHead: link(9) };
const earlier = { restoredAt: time(1), by: null, auditHead: null, replacedHead: null };

test.each<[what: string, metadata: Record<string, Json>, wanted: object[]]>([
  ["a row with earlier restores", { ...own, earlierRestores: [earlier] }, [own, earlier]],
  ["a row without them", own, [own]],
  ["metadata that is not JSON", { unreadable: "x" }, []],
  ["a time with more text", { ...own, restoredAt: "2026-01-02 00:00 UTC (\x1b[31mx)" }, [own]],
  ["an invalid time", { ...own, restoredAt: "soon" }, []],
  ["a number instead of the list", { ...own, earlierRestores: 7 }, [own]],
  [
    "other values in the list",
    { ...own, earlierRestores: [null, 7, "x", {}, earlier] },
    [own, earlier],
  ],
  [
    "an invalid head",
    { ...own, replacedHead: "x", auditHead: { seq: "3" } },
    [{ ...own, replacedHead: null, auditHead: null }],
  ],
])("%s is read as far as it describes restores", (_, metadata, wanted) => {
  expect(restoresOf("ada", metadata)).toEqual(wanted);
});

test("only the newest restores are kept", () => {
  const daily = Array.from({ length: 365 }, (_, day) => ({ restoredAt: time(day + 1) }));
  const kept = newestRestores(daily);
  expect(kept).toHaveLength(maxRestores);
  expect([kept[0], kept.at(-1)]).toEqual([daily[364], daily[365 - maxRestores]]);
});

/** A restore that went back from row 9 to row 3. */
const first = { auditHead: link(3), replacedHead: link(9, "b") };
/** A restore that went back from row 7 to row 3. */
const second = { auditHead: link(3), replacedHead: link(7, "c") };

test.each<[what: string, row: ReturnType<typeof link>, wanted: object | undefined]>([
  ["a row of the backup", link(3), undefined],
  ["a row that both replaced trails had", link(5), second],
  ["the last row that the second restore replaced", link(7, "c"), second],
  ["another row with the number of that row", link(7, "d"), first],
  ["a row that only the first restore replaced", link(8), first],
  ["the last row that the first restore replaced", link(9, "b"), first],
  ["another row with the number of that row", link(9, "d"), undefined],
  ["a row that no restore replaced", link(10), undefined],
])("an anchor names %s", (_, row, wanted) => {
  expect(restoreThatMayHaveReplaced(row, [second, first])).toBe(wanted);
});

test("a restore that replaced nothing readable replaced no row", () => {
  expect(
    restoreThatMayHaveReplaced(link(5), [{ auditHead: null, replacedHead: null }]),
  ).toBeUndefined();
});
