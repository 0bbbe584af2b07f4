// Reads from the audit trail which restores have replaced an earlier trail. (docs/guides/backup.md)

import { isoTime } from "../../lib/iso-time.ts";
import type { JsonObject } from "../payload/json.ts";
import type { PastRestore, RestoreNote } from "../storage/restores.ts";
import type { ChainLink } from "./audit-events.ts";

/** Takes the metadata of a `backup.restored` row. Oldest first, the row's own restore last. */
export function restoresOf(by: string | null, metadata: JsonObject): PastRestore[] {
  const { restoredAt, auditHead, replacedHead, earlierRestores } = metadata;
  const own = { restoredAt: String(restoredAt), by, auditHead, replacedHead };
  return [...((earlierRestores ?? []) as unknown[]), own] as PastRestore[];
}

/** What the `backup.restored` row of a restore will contain. */
export function metadataOf({ at, osUser: _, ...facts }: RestoreNote) {
  return { restoredAt: isoTime(at), ...facts };
}

/** The newest restore that replaced the row with this number, if any. */
export function restoreThatReplaced<Known extends Pick<PastRestore, "auditHead" | "replacedHead">>(
  seq: number,
  newestFirst: readonly Known[],
): (Known & { replacedHead: ChainLink }) | undefined {
  const hasReplaced = (one: Known): one is Known & { replacedHead: ChainLink } =>
    one.replacedHead !== null && seq <= one.replacedHead.seq && seq > (one.auditHead?.seq ?? 0);
  return newestFirst.find(hasReplaced);
}
