// Writes audit rows in the transaction of the change, so that no change is made without its row.
// (docs/decisions/0010-audit-trail.md)

import type { Principal } from "../../domain/access/principals.ts";
import {
  type AuditActor,
  type AuditEntry,
  type AuditRow,
  targetTypeOf,
} from "../../domain/audit/audit-events.ts";
import type { JsonObject } from "../../domain/payload/json.ts";
import { redactOwnTokens, redactText } from "../../domain/secrets/redaction.ts";
import { sameJson } from "../../lib/json/json-equal.ts";
import { appendAuditEvents } from "../../store/audit/audit-events.ts";
import { writeSignedHead } from "../../store/audit/signatures.ts";
import type { Tx } from "../../store/database.ts";
import { noteChange } from "../changes/changes.ts";
import type { Core, Ctx } from "../context.ts";

export async function audit(ctx: Ctx, tx: Tx, entry: AuditEntry): Promise<void> {
  await auditAll(ctx.core, tx, [{ call: ctx, entry }]);
}

/** Writes the rows of several calls together. */
export async function auditAll(core: Core, tx: Tx, rows: readonly AuditRow[]): Promise<void> {
  const { auditKey, auditHead } = core;
  const events = rows.map((row) => eventOf(core, tx, row));
  const links = await appendAuditEvents(tx, auditKey, events, (link) => auditHead.note(link));
  const [first] = links;
  if (first?.seq === 1 && auditHead.mayBegin) await writeSignedHead(tx, auditKey, first);
  noteChange(core, tx, "trail");
}

function eventOf({ newId }: Core, tx: Tx, { call, entry }: AuditRow) {
  return {
    id: newId("aud"),
    at: tx.now,
    ...actorOf(call.principal),
    targetType: targetTypeOf(entry.action),
    result: "SUCCESS" as const,
    ...entry,
    message: entry.message === undefined ? null : redactText(entry.message),
    ip: call.ip,
    userAgent: call.userAgent,
    requestId: call.requestId,
    metadata: redactOwnTokens((entry.metadata ?? {}) as JsonObject),
  };
}

type Values<Field extends string> = { readonly [F in Field]?: unknown };

/** Returns the fields whose values differ as JSON. */
export function changedFields<Field extends string>(
  fields: readonly Field[],
  before: Values<Field>,
  after: Values<Field>,
): Field[] {
  return fields.filter((field) => !sameJson(own(before, field), own(after, field)));
}

/** Returns the old and the new value of each field, for the metadata of an audit row. */
export function changesOf<Field extends string>(
  fields: readonly Field[],
  before: Values<Field>,
  after: Values<Field>,
): Record<string, unknown> {
  const changes = fields.map((field) => {
    return [field, { from: own(before, field) ?? null, to: own(after, field) ?? null }];
  });
  return Object.fromEntries(changes);
}

/** A label can have the name of a method that every object has, such as `toString`. */
function own<Field extends string>(values: Values<Field>, field: Field): unknown {
  return Object.hasOwn(values, field) ? values[field] : undefined;
}

function actorOf(principal: Principal): AuditActor {
  switch (principal.kind) {
    case "agent":
      return { actorType: "AGENT", actorId: principal.agentId, actorName: principal.agentCode };
    case "user":
      return { actorType: "USER", actorId: principal.userId, actorName: principal.username };
    case "apiKey":
      return { actorType: "API_KEY", actorId: principal.keyId, actorName: principal.name };
    case "local":
      return { actorType: "LOCAL", actorId: null, actorName: principal.osUser };
    case "anonymous":
    case "system":
      return { actorType: "SYSTEM", actorId: null, actorName: null };
  }
}

/** Returns the creator's name, which is stored with the created resource. */
export function makerOf(principal: Principal): string | null {
  return actorOf(principal).actorName;
}
