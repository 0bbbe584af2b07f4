// Writes audit rows in the transaction of the change that they tell of: no row, no change.
// (docs/decisions/0010-audit-trail.md)

import type { AuditActor, AuditEntry } from "../../domain/audit/audit-events.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { redactOwnTokens, redactText } from "../../domain/payload/redaction.ts";
import type { Principal } from "../../domain/principals.ts";
import { appendAuditEvent } from "../../store/audit/audit-events.ts";
import { writeSignedHead } from "../../store/audit/signatures.ts";
import type { Tx } from "../../store/database.ts";
import type { Ctx } from "../context.ts";

/** Adds one row; who, when and from where are the context's. */
export async function audit(ctx: Ctx, tx: Tx, entry: AuditEntry): Promise<void> {
  const { auditKey, auditHead } = ctx.core;
  const link = await appendAuditEvent(tx, auditKey, {
    id: ctx.core.newId("aud"),
    at: tx.now,
    ...actorOf(ctx.principal),
    action: entry.action,
    targetType: entry.targetType,
    targetId: entry.targetId,
    result: entry.result ?? "SUCCESS",
    message: entry.message === undefined ? null : redactText(entry.message),
    ip: ctx.ip,
    userAgent: ctx.userAgent,
    requestId: ctx.requestId,
    metadata: redactOwnTokens((entry.metadata ?? {}) as JsonObject),
  });
  if (link.seq === 1 && auditHead.mayBegin) await writeSignedHead(tx, auditKey, link);
  tx.afterCommit(() => auditHead.note(link));
  const { feed } = ctx.core;
  if (feed.isWatched) tx.afterCommit(feed.ring);
}

function actorOf(principal: Principal): AuditActor {
  switch (principal.kind) {
    case "agent":
      return actor("AGENT", principal.agentId, principal.agentCode);
    case "user":
      return actor("USER", principal.userId, principal.username);
    case "apiKey":
      return actor("API_KEY", principal.keyId, principal.name);
    case "local":
      return actor("LOCAL", null, principal.osUser);
    case "anonymous":
    case "system":
      return actor("SYSTEM", null, null);
  }
}

function actor(
  actorType: AuditActor["actorType"],
  actorId: string | null,
  actorName: string | null,
): AuditActor {
  return { actorType, actorId, actorName };
}

/** The name that a created thing remembers its maker by. */
export function makerOf(principal: Principal): string | null {
  return actorOf(principal).actorName;
}
