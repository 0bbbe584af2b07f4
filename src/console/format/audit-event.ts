// What an audit event is about and who caused it, as text.

import { stepOf, subjectOf } from "../../api/audit/words.ts";
import type { Reply } from "../client/call.ts";
import { texts } from "../texts/index.ts";
import { shortId } from "./ids.ts";

type AuditEvent = Reply<"audit-events.list">[number];
export type Acting = Pick<AuditEvent, "actorType" | "actorId" | "actorName">;

/** The name, or the type if there is none. */
export function actorName({ actorType, actorName: name }: Acting): string {
  return name ?? texts.audit.actorTypes[actorType];
}

/**
 * `restart on shop-db`, the code or the name of the subject; otherwise the short id. The server is the actor of
 * many events, so its name would say nothing.
 */
export function auditSubject(event: Pick<AuditEvent, "targetId" | "metadata">): string | null {
  const { targetId, metadata } = event;
  const subject = subjectOf({ metadata });
  if (subject === null) return targetId === null ? null : shortId(targetId);
  const { action, name } = subject;
  return action === null ? name : texts.auditTrail.actionOn(action, name);
}

/** `from DOWN to UP`, if the event is a change of state. */
export function auditStep({ metadata }: Pick<AuditEvent, "metadata">): string | null {
  const step = stepOf({ metadata });
  return step && texts.auditTrail.step(step.from, step.to);
}
