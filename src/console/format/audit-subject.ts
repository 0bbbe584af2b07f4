// What an audit event is about, in the words of people: the server is the actor of much that happens, so
// its name tells nothing.

import type { Reply } from "../client/call.ts";
import { texts } from "../texts/index.ts";
import { shortId } from "./ids.ts";

type AuditEvent = Pick<Reply<"audit-events.list">[number], "targetType" | "targetId" | "metadata">;

/** `restart on shop-db`, the code, or the name; the short id where the event has none of them. */
export function auditSubject({ targetId, metadata }: AuditEvent): string | null {
  const { action, serviceCode, code, username, name } = metadata;
  if (typeof action === "string" && typeof serviceCode === "string")
    return texts.auditTrail.actionOn(action, serviceCode);
  const named = [code, username, name].find((each) => typeof each === "string");
  if (typeof named === "string" && named !== "") return named;
  return targetId === null ? null : shortId(targetId);
}

/** `DOWN to UP`: between which states it went, if it did. */
export function auditStep({ metadata: { from, to } }: AuditEvent): string | null {
  const isStep = typeof from === "string" && typeof to === "string";
  return isStep ? texts.auditTrail.step(from, to) : null;
}
