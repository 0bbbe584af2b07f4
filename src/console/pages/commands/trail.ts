// What has happened to a command, in order: from the audit trail, and where that says nothing (any more),
// from what the command itself knows.

import type { Reply } from "../../client/call.ts";
import type { Command } from "../../client/command.ts";
import { actorName } from "../../format/audit-event.ts";

type AuditEvent = Reply<"audit-events.list">[number];

const kinds = {
  "action.prepare.requested": "created",
  "command.created": "created",
  "command.dispatched": "delivered",
  "command.redelivered": "redelivered",
  "command.completed": "completed",
  "command.failed": "failed",
  "command.cancelled": "cancelled",
  "command.expired": "expired",
  "command.retried": "retried",
  "command.result.late": "late",
} as const;

export type StepKind = (typeof kinds)[keyof typeof kinds] | "ended";

export interface Step {
  at: string;
  kind: StepKind;
  /** Who has done it; null where nobody has, or nobody knows. */
  who: string | null;
  note: string | null;
  /** The command that was made of it. */
  commandId: string | null;
}

export function trailOf(command: Command, events: readonly AuditEvent[]): Step[] {
  const steps = events.flatMap((event) => stepOf(event) ?? []);
  const has = (...wanted: StepKind[]) => steps.some(({ kind }) => wanted.includes(kind));
  const add = (at: string | null | undefined, kind: StepKind, note: string | null = null) => {
    if (at) steps.push({ at, kind, who: null, note, commandId: null });
  };
  if (!has("created")) add(command.createdAt, "created", command.reason);
  if (!has("delivered")) add(command.startedAt, "delivered");
  if (!has("completed", "failed", "cancelled", "expired")) {
    add(command.completedAt, endOf(command), command.errorMessage);
  }
  if (!has("late")) add(command.lateResult?.receivedAt, "late");
  const place = (step: Step) => order.indexOf(step.kind);
  return steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || place(a) - place(b));
}

/** Of steps of the same millisecond. */
const order: StepKind[] = [
  "created",
  "delivered",
  "redelivered",
  "completed",
  "failed",
  "cancelled",
  "expired",
  "ended",
  "late",
  "retried",
];

function stepOf(event: AuditEvent): Step | null {
  if (!Object.hasOwn(kinds, event.action)) return null;
  const { retriedAs, errorCode } = event.metadata;
  const code = typeof errorCode === "string" ? errorCode : null;
  return {
    at: event.at,
    kind: kinds[event.action as keyof typeof kinds],
    who: event.actorType === "SYSTEM" ? event.actorName : actorName(event),
    note: [code, event.message].filter((text) => text !== null).join(": ") || null,
    commandId: typeof retriedAs === "string" ? retriedAs : null,
  };
}

function endOf({ status }: Command): StepKind {
  if (status === "SUCCEEDED") return "completed";
  if (status === "FAILED") return "failed";
  return status === "CANCELLED" ? "cancelled" : "ended";
}
