// The page of one rollout.

import { useParams } from "react-router";
import { Waiting } from "../../approvals/waiting.tsx";
import { useCall } from "../../client/queries.ts";
import { Section } from "../../components/page.tsx";
import { AuditTrail } from "../../lists/audit-trail.tsx";
import { NounPage } from "../../nouns/noun-page.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { texts } from "../../texts/index.ts";
import { ValueView } from "../../values/value-view.tsx";
import { HealthyAgain } from "./healthy-again.tsx";
import { isMoving, type Rollout } from "./rollout.ts";
import { RolloutActs } from "./rollout-acts.tsx";
import { RolloutFacts } from "./rollout-facts.tsx";
import { RolloutState } from "./rollout-state.tsx";
import { RolloutTargets } from "./rollout-targets.tsx";
import { everyMs } from "./use-targets.ts";
import "./rollouts.css";

const words = texts.rollouts;

export function Component() {
  const { rolloutId = "" } = useParams();
  const query = useCall(
    "rollouts.get",
    { params: { rolloutId } },
    // The live stream does not report health checks or the times between waves.
    { everyMs: (rollout) => rollout !== undefined && isMoving(rollout) && everyMs },
  );
  const rollout = query.data;
  return (
    <NounPage
      noun={nouns.rollouts}
      query={query}
      lead={
        rollout?.name ? words.title({ action: rollout.action, total: rollout.total }) : undefined
      }
      acts={rollout && <RolloutActs rollout={rollout} />}
    >
      {(rollout) => <Content rollout={rollout} />}
    </NounPage>
  );
}

function Content({ rollout }: { rollout: Rollout }) {
  const { id, payload, withheld, approvalId, state, stateReason } = rollout;
  const isHeld = state === "AWAITING_APPROVAL" || stateReason === "NOT_APPROVED";
  return (
    <>
      <HealthyAgain rollout={rollout} />
      <RolloutState rollout={rollout} />
      {approvalId !== null && isHeld && (
        <div className="rollout-approval">
          <Waiting id={approvalId} />
        </div>
      )}
      <RolloutTargets rollout={rollout} />
      {Object.keys(payload).length > 0 && (
        <Section title={texts.words.payload} card>
          <ValueView value={payload} label={texts.words.payload} />
          {withheld.length > 0 && <p className="muted small">{words.withheld}</p>}
        </Section>
      )}
      <Section title={words.rules.title}>
        <RolloutFacts rollout={rollout} />
      </Section>
      <AuditTrail targetId={id} />
    </>
  );
}
