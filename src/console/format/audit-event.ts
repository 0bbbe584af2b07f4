import { stepOf, subjectOf } from "../../api/audit/words.ts";
import type { Reply } from "../client/call.ts";
import { texts } from "../texts/index.ts";
import { shortId } from "./ids.ts";

export type AuditEvent = Reply<"audit-events.list">[number];
export type Acting = Pick<AuditEvent, "actorType" | "actorId" | "actorName">;

export function actorName({ actorType, actorName: name }: Acting): string {
  return name ?? texts.audit.actorTypes[actorType];
}

/** Returns `restart on shop-db`, or the code or name of the subject, or else the short id. */
export function auditSubject(event: Pick<AuditEvent, "targetId" | "metadata">): string | null {
  const { targetId, metadata } = event;
  const subject = subjectOf({ metadata });
  // A rollout without a name.
  if (subject === null && typeof metadata.action === "string") return metadata.action;
  if (subject === null) return targetId === null ? null : shortId(targetId);
  const { action, name } = subject;
  return action === null ? name : texts.auditTrail.actionOn({ action, service: name });
}

/** Returns `from DOWN to UP` if the event is a change of state. */
export function auditStep({ metadata }: Pick<AuditEvent, "metadata">): string | null {
  const step = stepOf({ metadata });
  return step && texts.auditTrail.step({ from: step.from, to: step.to });
}
