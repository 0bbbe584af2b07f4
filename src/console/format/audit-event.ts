import { outcomeOf, stepOf, subjectOf } from "../../api/audit/words.ts";
import { classifyHealth, statusOfHealth } from "../../domain/fleet/effective-status.ts";
import type { Reply } from "../client/call.ts";
import { texts } from "../texts/index.ts";
import { shortId } from "./ids.ts";

export type AuditEvent = Reply<"audit-events.list">[number];
export type Acting = Pick<AuditEvent, "actorType" | "actorId" | "actorName">;

export function actorName({ actorType, actorName: name }: Acting): string {
  return name ?? texts.audit.actorTypes[actorType];
}

/** Returns `restart on shop-db`, or the subject's code or name, or else the target's short id. */
export function auditSubject(
  event: Pick<AuditEvent, "targetType" | "targetId" | "metadata">,
): string | null {
  const { targetType, targetId, metadata } = event;
  const subject = subjectOf({ metadata });
  // A rollout without a name.
  if (subject === null && typeof metadata.action === "string") return metadata.action;
  // The audit trail does not name the views that users keep for themselves.
  if (subject === null && targetType === "saved_view") return texts.auditTrail.privateView;
  if (subject === null) return targetId === null ? null : shortId(targetId);
  const { action, name } = subject;
  return action === null ? name : texts.auditTrail.actionOn({ action, service: name });
}

/** Returns both states if the event is a change of state, otherwise null. */
export function auditStep(event: Pick<AuditEvent, "action" | "metadata">) {
  const step = stepOf(event);
  if (step === null || !isOfHealth(event)) return step;
  const [from, to] = [statusOf(step.from), statusOf(step.to)];
  return from === to ? step : { from, to };
}

/** Whether the event's states are statuses of a service, and not versions or names. */
export function isOfHealth({ action }: Pick<AuditEvent, "action">): boolean {
  return action === "service.health.changed";
}

/** What became of the event's subject. */
export function auditOutcome(event: Pick<AuditEvent, "action" | "result" | "metadata">): string {
  return statusOf(outcomeOf(event));
}

/** The status that a service has if its agent reports this word: `HEALTHY` for `UP`. */
function statusOf(word: string): string {
  const health = classifyHealth(word);
  return health === "unknown" ? word : statusOfHealth(health);
}
