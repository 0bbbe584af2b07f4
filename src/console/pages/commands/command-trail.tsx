// All that has happened to a command, as a line of time.

import type { Command } from "../../client/command.ts";
import { useCall } from "../../client/queries.ts";
import { Failure } from "../../components/failure.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { texts } from "../../texts/index.ts";
import { toneOf } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { type StepKind, trailOf } from "./trail.ts";

const words = texts.commands;

const states: Readonly<Partial<Record<StepKind, string>>> = {
  completed: "SUCCEEDED",
  failed: "FAILED",
  expired: "FAILED",
  late: "EXPIRED",
  cancelled: "CANCELLED",
  delivered: "RUNNING",
  redelivered: "EXPIRED",
};

export function CommandTrail({ command }: { command: Command }) {
  const query = useCall("audit-events.list", {
    query: { targetType: "command", targetId: command.id, pageSize: 200 },
  });
  return (
    <>
      <Failure error={query.error} onRetry={() => void query.refetch()} />
      <ol className="trail">
        {trailOf(command, query.data ?? []).map(({ at, kind, who, note, commandId }) => (
          <li
            key={`${at} ${kind} ${commandId}`}
            className={`tone-${toneOf(states[kind] ?? "USED")}`}
          >
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
