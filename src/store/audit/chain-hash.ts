// Computes the hashes that chain the rows of the audit trail. (docs/decisions/0010-audit-trail.md)

import { createHmac, type KeyObject } from "node:crypto";
import type { AuditEvent, ChainLink } from "../../domain/audit/audit-events.ts";
import { canonicalJson } from "../../lib/json/canonical-json.ts";

export type NewAuditEvent = Omit<AuditEvent, "seq" | "hash">;

/** The first row is chained to this link. */
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
