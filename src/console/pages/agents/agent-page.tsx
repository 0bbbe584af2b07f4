// The page of one agent.

import { useParams } from "react-router";
import type { Reply } from "../../client/call.ts";
import { useCall } from "../../client/queries.ts";
import { useMe } from "../../client/session.ts";
import { Empty } from "../../components/empty.tsx";
import { Section } from "../../components/page.tsx";
import { Sentence } from "../../components/text/sentence.tsx";
import { duration } from "../../format/time.ts";
import { AuditTrail } from "../../lists/audit-trail.tsx";
import { RecentCommands } from "../../lists/recent-commands.tsx";
import { column, Table } from "../../lists/table.tsx";
import { EditLabels } from "../../nouns/edit-labels.tsx";
import { columnsOf } from "../../nouns/noun-columns.tsx";
import { NounPage } from "../../nouns/noun-page.tsx";
import { nouns } from "../../nouns/nouns.ts";
import { AgentLink, ServiceLink } from "../../nouns/owner-links.tsx";
import { texts } from "../../texts/index.ts";
import { type Fact, WithRail } from "../../values/facts.tsx";
import { IdValue } from "../../values/id-value.tsx";
import { JsonSection } from "../../values/json-view.tsx";
import { labelFacts } from "../../values/label-facts.tsx";
import { Badge, StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { CreateTokenLink } from "../registration-tokens/create-token-link.tsx";
import "./agent-page.css";

type Agent = Reply<"agents.get">;

const words = texts.agents;
/** The page polls because the live stream does not report heartbeats. */
const refetchMs = 10_000;

type AgentService = Agent["services"][number];

const columns = [
  ...columnsOf<AgentService>(nouns.services, {}, ["code", "name", "status"]),
  column<AgentService>("since", words.since, ({ statusSince }) => (
    <Time at={statusSince} none={texts.services.justNow} />
  )),
  ...columnsOf<AgentService>(nouns.services, {}, ["version"]),
];

export function Component() {
  const { agentId = "" } = useParams();
  const query = useCall("agents.get", { params: { agentId } }, { everyMs: refetchMs });
  const noToken = query.data?.token === null && <Badge tone="bad">{words.withoutToken}</Badge>;
  return (
    <NounPage
      noun={nouns.agents}
      query={query}
      badge={noToken}
      actions={query.data && <EditLabels noun="agents" item={query.data} />}
    >
      {(agent) => (
        <WithRail label={words.about} facts={factsOf(agent)}>
          <div className="agent-states columns">
            <Life agent={agent} />
            <TokenState token={agent.token} />
          </div>
          <Section title={words.services}>
            {agent.services.length === 0 ? (
              <Empty>{words.noServices}</Empty>
            ) : (
              <Table
                name="agent-services"
                label={words.servicesLabel}
                columns={columns}
                rows={agent.services}
                rowKey={({ id }) => id}
              />
            )}
          </Section>
          {agent.refusedServices.length > 0 && <RefusedServices services={agent.refusedServices} />}
          <Section title={words.commands}>
            <RecentCommands of={{ agentId: agent.id }} />
          </Section>
          <AuditTrail targetId={agent.id} />
          {typeof agent.runtime !== "string" && (
            <JsonSection title={texts.words.runtime} value={agent.runtime} />
          )}
        </WithRail>
      )}
    </NounPage>
  );
}

function Life({ agent: { status, lastHeartbeatAt, disabledAt, offlineReason } }: { agent: Agent }) {
  const { offlineSeconds } = useMe().installation.thresholds;
  const meaning = words.meaning[offlineReason ?? "ONLINE"];
  return (
    <section className="card" aria-label={words.life}>
      <h2>{words.life}</h2>
      <p className="row row-text">
        <StatusBadge status={status} />
        <Time at={lastHeartbeatAt} />
      </p>
      {disabledAt && (
        <p>
          {words.disabledSince} <Time at={disabledAt} />
        </p>
      )}
      <p className="muted small">
        {typeof meaning === "string" ? meaning : meaning({ time: duration(offlineSeconds * 1000) })}
      </p>
    </section>
  );
}

function TokenState({ token }: Pick<Agent, "token">) {
  return (
    <section className="card" aria-label={words.token}>
      <h2>{words.token}</h2>
      <p className="row row-text">
        <StatusBadge status={token ? "ACTIVE" : "REVOKED"} />
        {token && (
          <span>
            {words.tokenSince} <Time at={token.createdAt} />
          </span>
        )}
      </p>
      {!token && (
        <>
          <p className="muted small">{words.tokenRevokedMeaning}</p>
          <CreateTokenLink />
        </>
      )}
    </section>
  );
}

function factsOf({ id, mode, version, registeredAt, labelSources, runtime }: Agent): Fact[] {
  return [
    [words.mode, mode],
    [texts.words.version, version],
    [words.registered, <Time key="registered" at={registeredAt} />],
    ...labelFacts(labelSources, "agents"),
    [texts.words.runtime, typeof runtime === "string" && runtime],
    [texts.words.id, <IdValue key="id" id={id} />],
  ];
}

/** Lists services that this agent reports but that belong to another agent. */
function RefusedServices({ services }: { services: Agent["refusedServices"] }) {
  return (
    <Section title={words.refused} card>
      <p className="muted small">{words.refusedMeaning}</p>
      <ul aria-label={words.refused}>
        {services.map((service) => (
          <li key={service.serviceId}>
            <Sentence
              text={words.refusedService}
              parts={{
                service: <ServiceLink of={service} />,
                agent: <AgentLink of={service} />,
                time: <Time at={service.since} />,
              }}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}
