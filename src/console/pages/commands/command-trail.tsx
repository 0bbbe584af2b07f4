// A command's history. A step that the audit trail lacks comes from the command itself.

import type { Command } from "../../client/command.ts";
import { useCall } from "../../client/queries.ts";
import { Failure } from "../../components/failure.tsx";
import { type AuditEvent, actorName } from "../../format/audit-event.ts";
import { NounLink } from "../../nouns/noun-link.tsx";
import { texts } from "../../texts/index.ts";
import { toneOf } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";

const words = texts.commands;

/** Each step's status sets its colour. Steps in the same millisecond are sorted in this order. */
const kinds = {
  created: "USED",
  delivered: "RUNNING",
  redelivered: "EXPIRED",
  completed: "SUCCEEDED",
  failed: "FAILED",
  cancelled: "CANCELLED",
  expired: "FAILED",
  ended: "USED",
  late: "EXPIRED",
  retried: "USED",
} as const;
type StepKind = keyof typeof kinds;
const order = Object.keys(kinds);

const kindOf: Readonly<Record<string, StepKind>> = {
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
};

interface Step {
  at: string;
  kind: StepKind;
  who: string | null;
  note: string | null;
  /** The id of the command that retries this one. */
  commandId: string | null;
}

export function CommandTrail({ command }: { command: Command }) {
  const query = useCall("audit-events.list", {
    query: { targetType: "command", targetId: command.id, pageSize: 200 },
  });
  return (
    <>
      <Failure error={query.error} onRetry={() => void query.refetch()} />
      <ol className="trail stack plain tight">
        {trailOf(command, query.data ?? []).map(({ at, kind, who, note, commandId }) => (
          <li key={`${at} ${kind} ${commandId}`} className={`tone-${toneOf(kinds[kind])}`}>
            <Time at={at} />
            <div>
              <p>
                {words.steps[kind]}
                {commandId && (
                  <>
                    {` ${words.retriedAs} `}
                    <NounLink to="commands" id={commandId} />
                  </>
                )}
                {who && <span className="muted"> · {who}</span>}
              </p>
              {note && <p className="muted small">{note}</p>}
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

export function trailOf(command: Command, events: readonly AuditEvent[]): Step[] {
  const steps = events.flatMap(stepOf);
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
  const place = ({ kind }: Step) => order.indexOf(kind);
  return steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || place(a) - place(b));
}

function stepOf(event: AuditEvent): Step[] {
  const kind = kindOf[event.action];
  if (!kind) return [];
  const { retriedAs, errorCode } = event.metadata;
  const note = [errorCode, event.message].filter((text) => typeof text === "string").join(": ");
  return [
    {
      at: event.at,
      kind,
      who: event.actorType === "SYSTEM" ? event.actorName : actorName(event),
      note: note || null,
      commandId: typeof retriedAs === "string" ? retriedAs : null,
    },
  ];
}

function endOf({ status }: Command): StepKind {
  if (status === "SUCCEEDED") return "completed";
  if (status === "FAILED") return "failed";
  return status === "CANCELLED" ? "cancelled" : "ended";
}
