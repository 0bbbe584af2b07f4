// What an audit event is about, in the words of people: the server is the actor of much that happens, so
// its name tells nothing.

import { stepOf, subjectOf } from "../../api/audit/words.ts";
import type { Reply } from "../client/call.ts";
import { texts } from "../texts/index.ts";
import { shortId } from "./ids.ts";

type AuditEvent = Pick<Reply<"audit-events.list">[number], "targetType" | "targetId" | "metadata">;

/** `restart on shop-db`, the code, or the name; the short id where the event has none of them. */
export function auditSubject({ targetId, metadata }: AuditEvent): string | null {
  const subject = subjectOf({ metadata });
  if (subject === null) return targetId === null ? null : shortId(targetId);
  const { action, name } = subject;
  return action === null ? name : texts.auditTrail.actionOn(action, name);
}

/** `DOWN to UP`: between which states it went, if it did. */
export function auditStep({ metadata }: Pick<AuditEvent, "metadata">): string | null {
  const step = stepOf({ metadata });
  return step && texts.auditTrail.step(step.from, step.to);
}
