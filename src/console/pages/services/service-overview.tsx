// Everything about a service: its status and the reason, its actions, its history, its last
// commands, and what its agent reports. Its properties are beside these.

import type { Reply } from "../../client/call.ts";
import { useCall } from "../../client/queries.ts";
import { Section } from "../../components/page.tsx";
import { Sentence } from "../../components/text/sentence.tsx";
import { AuditTrail } from "../../lists/audit-trail.tsx";
import { RecentCommands } from "../../lists/recent-commands.tsx";
import { AgentLink } from "../../nouns/owner-links.tsx";
import { texts } from "../../texts/index.ts";
import { type Fact, WithRail } from "../../values/facts.tsx";
import { IdValue } from "../../values/id-value.tsx";
import { JsonSection } from "../../values/json-view.tsx";
import { labelFacts } from "../../values/label-facts.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { ValueSection } from "../../values/value-view.tsx";
import { ServiceHistory } from "./history/service-history.tsx";
import { ServiceActions } from "./service-actions.tsx";
import { ServiceConfigs } from "./service-configs.tsx";
import { ServiceStatus } from "./service-status.tsx";

type ServiceDetail = Reply<"services.get">;

const words = texts.services;
const commandsShown = 5;

export function ServiceOverview({ service }: { service: ServiceDetail }) {
  const { id, agentId, runtime, manifest, claims, configs } = service;
  const { data: agent } = useCall("agents.get", { params: { agentId } });
  return (
    <WithRail label={words.about} facts={factsOf(service)}>
      <ServiceStatus service={service} agent={agent} />
      <ServiceActions service={service} agent={agent} />
      <ServiceHistory serviceId={id} />
      <ValueSection title={words.healthDetails} value={service.healthDetails} />
      <Section title={words.commands}>
        <RecentCommands of={{ serviceId: id }} rows={commandsShown} />
      </Section>
      {claims.length > 0 && <Claims claims={claims} />}
      {configs.length > 0 && (
        <Section title={words.configs.title}>
          <ServiceConfigs configs={configs} />
        </Section>
      )}
      <AuditTrail targetId={id} />
      {typeof runtime !== "string" && <JsonSection title={texts.words.runtime} value={runtime} />}
      <JsonSection title={words.manifest} value={manifest} />
    </WithRail>
  );
}

function factsOf(service: ServiceDetail): Fact[] {
  const { id, version, description, runtime, healthStatus, healthChangedAt } = service;
  return [
    [texts.words.agent, <AgentLink key="agent" of={service} />],
    [texts.words.version, version],
    [texts.words.description, description],
    [texts.words.runtime, typeof runtime === "string" && runtime],
    ...labelFacts(service.labelSources, "services"),
    [
      words.reported,
      healthStatus && (
        <span key="reported" className="row row-text">
          <StatusBadge status={healthStatus} />
          {healthChangedAt && <Time at={healthChangedAt} />}
        </span>
      ),
    ],
    [words.lastReport, <Time key="last" at={service.lastReportedAt} />],
    [words.changed, <Time key="changed" at={service.updatedAt} />],
    [words.firstReported, <Time key="first" at={service.createdAt} />],
    [texts.words.id, <IdValue key="id" id={id} />],
  ];
}

/** Lists agents that report this service although it belongs to another agent. */
function Claims({ claims }: Pick<ServiceDetail, "claims">) {
  return (
    <Section title={words.claims} card>
      <p className="muted small">{words.claimsMeaning}</p>
      <ul aria-label={words.claims}>
        {claims.map((claim) => (
          <li key={claim.agentId}>
            <Sentence
              text={words.alsoReports}
              parts={{ agent: <AgentLink of={claim} />, time: <Time at={claim.since} /> }}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}
