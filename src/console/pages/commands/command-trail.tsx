// A command's history, from the audit trail. Steps that the trail lacks come from the command.

import type { Command } from "../../client/command.ts";
import { useCall } from "../../client/queries.ts";
import { Failure } from "../../components/failure.tsx";
import { Sentence } from "../../components/text/sentence.tsx";
import { softBreaks } from "../../components/text/soft-breaks.tsx";
import { type AuditEvent, actorName } from "../../format/audit-event.ts";
import { toneOf } from "../../format/status.ts";
import { useUnsaidError } from "../../lists/loaded.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { texts } from "../../texts/index.ts";
import { Time } from "../../values/time.tsx";

const words = texts.commands;

type StepKind = keyof typeof words.steps;

/**
 * Each step's status, which sets its colour, and its actions in the audit trail. Steps in the same
 * millisecond are sorted in this order.
 */
const kinds: Record<StepKind, { status: string; actions: string[] }> = {
  created: { status: "USED", actions: ["action.prepare.requested", "command.created"] },
  applied: { status: "USED", actions: ["command.plan.applied"] },
  delivered: { status: "RUNNING", actions: ["command.dispatched"] },
  redelivered: { status: "EXPIRED", actions: ["command.redelivered"] },
  completed: { status: "SUCCEEDED", actions: ["command.completed"] },
  failed: { status: "FAILED", actions: ["command.failed"] },
  cancelled: { status: "CANCELLED", actions: ["command.cancelled"] },
  expired: { status: "FAILED", actions: ["command.expired"] },
  ended: { status: "USED", actions: [] },
  late: { status: "EXPIRED", actions: ["command.result.late"] },
  retried: { status: "USED", actions: ["command.retried"] },
};
const order = Object.keys(kinds) as StepKind[];

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
  const error = useUnsaidError(query.error, query.data !== undefined);
  return (
    <>
      <Failure error={error} onRetry={() => void query.refetch()} />
      <ol className="trail stack plain tight">
        {trailOf(command, query.data ?? []).map(({ at, kind, who, note, commandId }) => (
          <li key={`${at} ${kind} ${commandId}`} className={`tone-${toneOf(kinds[kind].status)}`}>
            <Time at={at} exact />
            <div>
              <p>
                {commandId ? (
                  <Sentence
                    text={words.retriedAs}
                    parts={{ command: <NounLink to="commands" id={commandId} /> }}
                  />
                ) : (
                  words.steps[kind]
                )}
                {who && <span className="muted"> · {softBreaks(who)}</span>}
              </p>
              {note && <p className="muted small">{softBreaks(note)}</p>}
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
    const end = order.find((kind) => kinds[kind].status === command.status) ?? "ended";
    add(command.completedAt, end, command.errorMessage);
  }
  if (!has("late")) add(command.lateResult?.receivedAt, "late");
  const place = ({ kind }: Step) => order.indexOf(kind);
  return steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || place(a) - place(b));
}

function stepOf(event: AuditEvent): Step[] {
  const kind = order.find((each) => kinds[each].actions.includes(event.action));
  if (!kind) return [];
  const { retriedAs, errorCode } = event.metadata;
  const note = [errorCode, event.message]
    .filter((text) => typeof text === "string")
    .join(texts.words.colon);
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
