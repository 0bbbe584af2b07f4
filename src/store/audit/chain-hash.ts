// The hash that chains each audit row to the row before it. (docs/decisions/0010-audit-trail.md)

import { createHmac, type KeyObject } from "node:crypto";
import type { AuditEvent, ChainLink } from "../../domain/audit/audit-events.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";

export type NewAuditEvent = Omit<AuditEvent, "seq" | "hash">;

/** Precedes the first row. */
export const genesis: ChainLink = { seq: 0, hash: "0".repeat(64) };

export function chainHash(
  key: KeyObject,
  before: string,
  seq: number,
  event: NewAuditEvent,
): string {
  return createHmac("sha256", key)
    .update(`${before}\n${seq}\n${canonicalJson(event)}`)
    .digest("hex");
}
