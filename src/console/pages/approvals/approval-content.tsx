// The content of a request for approval, exactly as it was requested.

import type { JsonObject } from "../../../domain/payload/json.ts";
import type { Approval } from "../../approvals/approval.ts";
import { ApiError } from "../../client/api-error.ts";
import { useCall } from "../../client/queries.ts";
import { duration } from "../../format/time.ts";
import { Loaded } from "../../lists/loaded.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { AgentLink, ServiceLink } from "../../nouns/owner-links.tsx";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { JsonView } from "../../values/json-view.tsx";
import { DangerBadge } from "../../values/status-badge.tsx";
import { ValueView } from "../../values/value-view.tsx";
import { LeftOutServices } from "../rollouts/left-out.tsx";
import type { Rollout, Target } from "../rollouts/rollout.ts";
import { RolloutFacts } from "../rollouts/rollout-facts.tsx";
import { useTargets } from "../rollouts/use-targets.ts";
import { type Wave, WaveTable } from "../rollouts/wave-table.tsx";
import { DueTimes, useDueTimes } from "../schedules/due-times.tsx";
import { type Definition, ScheduleFacts } from "../schedules/schedule-facts.tsx";

const words = texts.approvals.detail;

export function ApprovalContent({ approval }: { approval: Approval }) {
  const { kind, content, subjectId } = approval;
  switch (kind) {
    case "action":
      return <ActionContent approval={approval} />;
    case "rollout":
      return <RolloutContent id={subjectId ?? ""} content={content} approval={approval} />;
    case "schedule":
      return <ScheduleContent content={content as unknown as Definition} />;
  }
}

/** The content that the server stores for an action. */
interface ActionOrder {
  service: { id: string; code: string };
  agent: { id: string; code: string };
  action: { name: string; label: string; dangerLevel: string; timeoutSeconds: number | null };
  payload: JsonObject;
  expectedState: string | null;
  retryOf: string | null;
}

function ActionContent({ approval }: { approval: Approval }) {
  const order = approval.content as unknown as ActionOrder;
  const { service, agent, action, expectedState, retryOf } = order;
  return (
    <>
      <Facts
        facts={[
          [
            texts.words.action,
            <span key="action">
              {action.label} <code>{action.name}</code>
            </span>,
          ],
          [
            texts.words.service,
            <ServiceLink key="service" of={{ serviceId: service.id, serviceCode: service.code }} />,
          ],
          [
            texts.words.agent,
            <AgentLink key="agent" of={{ agentId: agent.id, agentCode: agent.code }} />,
          ],
          [
            texts.policies.fields.dangerLevel,
            <DangerBadge key="danger" level={action.dangerLevel} />,
          ],
          [words.timeout, action.timeoutSeconds && duration(action.timeoutSeconds * 1000)],
          [words.ifUnchanged, expectedState && <code>{expectedState.slice(0, 12)}</code>],
          [
            words.retryOf,
            retryOf && (
              <NounLink to="commands" id={retryOf}>
                {retryOf}
              </NounLink>
            ),
          ],
        ]}
      />
      <Payload payload={order.payload} withheld={approval.withheld} />
    </>
  );
}

interface PayloadProps {
  payload: JsonObject;
  withheld: readonly string[];
}

function Payload({ payload, withheld }: PayloadProps) {
  return (
    <>
      <h3 className="approval-part">{texts.words.payload}</h3>
      {Object.keys(payload).length === 0 ? (
        <p className="muted">{texts.actions.confirm.empty}</p>
      ) : (
        <ValueView value={payload} label={texts.words.payload} />
      )}
      {withheld.length > 0 && <p className="muted small">{words.withheld}</p>}
    </>
  );
}

/** Shows the payloads of individual services, which replace the rollout's payload. */
function OwnPayloads({ content }: { content: JsonObject }) {
  const { payloadByService } = content;
  if (payloadByService === undefined) return null;
  return (
    <>
      <h3 className="approval-part">{words.ownPayloads}</h3>
      <JsonView value={payloadByService} label={words.ownPayloads} />
    </>
  );
}

interface RolloutContentProps {
  id: string;
  content: JsonObject;
  approval: Approval;
}

/** Reads the rollout, because its stored rules and targets are part of what the digest covers. */
function RolloutContent({ id, content, approval }: RolloutContentProps) {
  const query = useCall("rollouts.get", { params: { rolloutId: id } });
  if (query.error instanceof ApiError && query.error.status === 404) {
    return (
      <>
        <p className="muted">{words.gone}</p>
        <JsonView value={content} label={words.whatRan} />
      </>
    );
  }
  return (
    <Loaded query={query}>
      {(rollout) => (
        <>
          <RolloutFacts
            rollout={rollout}
            partWith={[
              [
                texts.policies.fields.dangerLevel,
                typeof content.dangerLevel === "string" && (
                  <DangerBadge key="danger" level={content.dangerLevel} />
                ),
              ],
            ]}
          />
          <Payload payload={rollout.payload} withheld={approval.withheld} />
          <OwnPayloads content={approval.content} />
          <h3 className="approval-part">{words.targets}</h3>
          {rollout.leftOut && rollout.leftOut.total > 0 && (
            <LeftOutServices leftOut={rollout.leftOut.services} total={rollout.leftOut.total} />
          )}
          <Targets rollout={rollout} />
        </>
      )}
    </Loaded>
  );
}

const mostCodes = 200;

function Targets({ rollout }: { rollout: Rollout }) {
  return (
    <Loaded query={useTargets(rollout)}>
      {(pages) => (
        <WaveTable
          name="approval-targets"
          label={words.targets}
          waves={wavesOf(targetsOf(rollout, pages.flat()))}
          mostCodes={mostCodes}
        />
      )}
    </Loaded>
  );
}

/** If a rollout that has already begun needs approval again, only the waiting targets need it. */
function targetsOf({ state }: Rollout, targets: readonly Target[]): readonly Target[] {
  return state === "AWAITING_APPROVAL"
    ? targets.filter((target) => target.state === "WAITING")
    : targets;
}

function wavesOf(targets: readonly Target[]): Wave[] {
  const waves = Map.groupBy(targets, ({ wave }) => wave);
  return [...waves].map(([wave, of]) => ({
    wave,
    codes: of.map(({ serviceCode }) => serviceCode),
  }));
}

function ScheduleContent({ content }: { content: Definition }) {
  const dues = useDueTimes(content);
  return (
    <>
      <ScheduleFacts definition={content} />
      <h3 className="approval-part">{words.dues}</h3>
      <Loaded query={dues}>
        {({ runs }) => <DueTimes dues={runs} zone={content.timezone} label={words.dues} />}
      </Loaded>
    </>
  );
}
