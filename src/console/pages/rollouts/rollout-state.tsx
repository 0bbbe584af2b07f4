// The state of a rollout in words: why it has this state, since when, and what to do next.

import type { ReactNode } from "react";
import { useCall } from "../../client/queries.ts";
import { useMay } from "../../client/session.ts";
import { type AuditEvent, actorName } from "../../format/audit-event.ts";
import { sentences } from "../../format/sentences.ts";
import { statusText } from "../../format/status.ts";
import { duration } from "../../format/time.ts";
import { texts } from "../../texts/index.ts";
import { Elapsed } from "../../values/elapsed.tsx";
import { type Fact, Facts } from "../../values/facts.tsx";
import { Time } from "../../values/time.tsx";
import { mayBeRetried, openCount, type Rollout } from "./rollout.ts";

const words = texts.rollouts.now;

export function RolloutState({ rollout }: { rollout: Rollout }) {
  const mayAct = useMay("operator");
  const since = useSince(rollout);
  const advice = mayAct ? adviceOn(rollout) : null;
  const { nextWaveAt, deadlineAt, completedAt } = rollout;
  return (
    <section className="card stack tight" aria-label={words.title}>
      <p className="visually-hidden" role="status">
        {statusText(rollout.state)}
      </p>
      <p>
        <strong>{sentences([explanationOf(rollout), ...resultsOf(rollout)])}</strong>
      </p>
      {advice && <p>{advice}</p>}
      <Facts
        facts={[
          since,
          [texts.commands.duration, durationOf(rollout)],
          [words.nextWaveAt, nextWaveAt && <Time at={nextWaveAt} />],
          [words.deadlineAt, deadlineAt && !completedAt && <Time at={deadlineAt} />],
        ]}
      />
    </section>
  );
}

/** Returns null if approval was needed, because it is then unknown when the rollout began. */
function durationOf({ state, approvalId, createdAt, completedAt }: Rollout): ReactNode {
  if (approvalId !== null) return null;
  const since = Date.parse(createdAt);
  if (completedAt !== null) return duration(Date.parse(completedAt) - since);
  return state === "RUNNING" && <Elapsed since={since} />;
}

function explanationOf(rollout: Rollout): string {
  const { state, stateReason, wave, waveCount, nextWaveAt, total, targets, maxFailures } = rollout;
  switch (state) {
    case "AWAITING_APPROVAL":
      return words.awaiting;
    case "RUNNING":
      return nextWaveAt === null
        ? words.running({ wave, of: waveCount })
        : words.betweenWaves({ wave, next: wave + 1 });
    case "PAUSED":
      if (stateReason === "APPROVAL_REQUIRED") return words.needsApproval;
      return stateReason === "WAVE_ENDED"
        ? words.waveEnded({ wave: wave - 1, of: waveCount })
        : words.paused;
    case "SUCCEEDED":
      return targets.SUCCEEDED === total ? words.allSucceeded({ total }) : words.over;
    case "FAILED":
      if (stateReason === "DEADLINE") return words.deadline;
      return stateReason === "TOO_MANY_NOT_RUN"
        ? words.tooManyNotRun({ notRun: targets.NOT_RUN, tolerated: maxFailures })
        : words.tooMany({ failed: targets.FAILED, tolerated: maxFailures });
    case "CANCELLED":
      return stateReason === "NOT_APPROVED" ? words.notApproved : words.cancelled;
  }
}

function resultsOf(rollout: Rollout): string[] {
  const { stateReason, targets, completedAt, leftOut } = rollout;
  const open = openCount(rollout);
  const isSaid = stateReason === "TOO_MANY_FAILURES";
  const isNotRunSaid = stateReason === "TOO_MANY_NOT_RUN";
  return [
    targets.FAILED > 0 && !isSaid ? words.failed({ many: targets.FAILED }) : "",
    targets.NOT_RUN > 0 && !isNotRunSaid ? words.notRun({ many: targets.NOT_RUN }) : "",
    completedAt !== null && open > 0 ? words.open({ many: open }) : "",
    leftOut && leftOut.total > 0 ? words.leftOut({ many: leftOut.total }) : "",
  ].filter(Boolean);
}

function adviceOn(rollout: Rollout): string | null {
  const { state, stateReason, wave, targets } = rollout;
  if (state === "PAUSED") {
    if (stateReason === "APPROVAL_REQUIRED") return words.ask;
    return stateReason === "WAVE_ENDED" ? words.nextWave({ wave }) : words.resume;
  }
  if (!mayBeRetried(rollout)) return null;
  return targets.FAILED > 0 ? words.retry : words.retryRest;
}

/** Reads from the audit trail when the rollout's state last changed, and who changed it. */
function useSince({ id, state, createdAt, completedAt }: Rollout): Fact {
  const query = { targetId: id, action: "rollout.*", pageSize: 1 };
  const [last] = useCall("audit-events.list", { query }).data ?? [];
  const { since } = words;
  const at = completedAt ?? last?.at ?? createdAt;
  const change = last?.action.split(".")[1];
  const name = completedAt
    ? since.other
    : change === "paused" || change === "resumed"
      ? since[change]
      : state === "AWAITING_APPROVAL"
        ? since.asked
        : since.created;
  return [name, <Since key="since" at={at} event={last} />];
}

interface SinceProps {
  at: string;
  event: AuditEvent | undefined;
}

function Since({ at, event }: SinceProps) {
  const isSystem = event === undefined || event.actorType === "SYSTEM";
  return (
    <>
      <Time at={at} /> {!isSystem && words.by({ who: actorName(event) })}
    </>
  );
}
