// Reads from the audit trail which restores have replaced an earlier trail. (docs/guides/backup.md)

import { isoTime } from "../../lib/iso-time.ts";
import type { JsonObject } from "../payload/json.ts";
import type { PastRestore } from "../storage/restores.ts";
import type { ChainLink } from "./audit-events.ts";

/**
 * The maximum number of restores that are listed. Older ones can be found only in their rows.
 */
export const maxRestores = 100;

/**
 * Takes the metadata of a `backup.restored` row, and returns its own restore first. Leaves out what
 * is not a restore, because another program may have changed the row.
 */
export function restoresOf(by: string | null, metadata: JsonObject): PastRestore[] {
  const { earlierRestores } = metadata;
  const earlier = Array.isArray(earlierRestores) ? earlierRestores : [];
  return [{ ...metadata, by }, ...earlier].flatMap(restoresIn);
}

function restoresIn(value: unknown): PastRestore[] {
  const { restoredAt, by, auditHead, replacedHead } = Object(value);
  const at = typeof restoredAt === "string" ? Date.parse(restoredAt) : Number.NaN;
  if (Number.isNaN(at)) return [];
  return [
    {
      // The text itself is not returned, because `Date.parse` ignores parts of it.
      restoredAt: isoTime(at),
      by: typeof by === "string" ? by : null,
      auditHead: linkIn(auditHead),
      replacedHead: linkIn(replacedHead),
    },
  ];
}

function linkIn(value: unknown): ChainLink | null {
  const { seq, hash } = Object(value);
  return Number.isSafeInteger(seq) && typeof hash === "string" ? { seq, hash } : null;
}

/** Returns at most `maxRestores`, the newest first. */
export function newestRestores<Known extends Pick<PastRestore, "restoredAt">>(
  restores: readonly Known[],
): Known[] {
  const timeOf = ({ restoredAt }: Known) => Date.parse(restoredAt);
  return restores.toSorted((one, other) => timeOf(other) - timeOf(one)).slice(0, maxRestores);
}

/**
 * The newest restore that may have replaced the row. This is certain only for the last row of a
 * trail, because the restored trail uses the numbers of the replaced rows again.
 */
export function restoreThatMayHaveReplaced<
  Known extends Pick<PastRestore, "auditHead" | "replacedHead">,
>(row: ChainLink, newestFirst: readonly Known[]): Known | undefined {
  return newestFirst.find(({ auditHead, replacedHead }) => {
    if (replacedHead === null || row.seq <= (auditHead?.seq ?? 0)) return false;
    return row.seq < replacedHead.seq || row.hash === replacedHead.hash;
  });
}
