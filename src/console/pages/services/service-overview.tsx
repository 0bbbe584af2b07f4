// Everything that an operator needs first about a service, on one screen: its status and the
// reason, its actions, its last command, its history, and what its agent reports about it.

import type { Reply } from "../../client/call.ts";
import { useCall } from "../../client/queries.ts";
import { Section } from "../../components/page.tsx";
import { Sentence } from "../../components/sentence.tsx";
import { AgentLink } from "../../nouns/owner-links.tsx";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { IdValue } from "../../values/id-value.tsx";
import { JsonSection } from "../../values/json-view.tsx";
import { labelFacts } from "../../values/label-facts.tsx";
import { Time } from "../../values/time.tsx";
import { ValueSection } from "../../values/value-view.tsx";
import { ActionButtons } from "./action-buttons.tsx";
import { ServiceHistory } from "./history/service-history.tsx";
import { LastCommand } from "./last-command.tsx";
import { ServiceConfigs } from "./service-configs.tsx";
import { ServiceStatus } from "./service-status.tsx";

type ServiceDetail = Reply<"services.get">;

const words = texts.services;

export function ServiceOverview({ service }: { service: ServiceDetail }) {
  const { id, agentId, runtime, manifest, claims, configs } = service;
  const { data: agent } = useCall("agents.get", { params: { agentId } });
  const isText = typeof runtime === "string";
  return (
    <>
      <div className="service-now columns">
        <ServiceStatus service={service} agent={agent} />
        <LastCommand serviceId={id} />
      </div>
      <ActionButtons service={service} agent={agent} />
      <ValueSection title={words.healthDetails} value={service.healthDetails} />
      <ServiceHistory serviceId={id} />
      {claims.length > 0 && <Claims claims={claims} />}
      <Section title={words.about}>
        <Facts
          card
          facts={[
            [texts.words.agent, <AgentLink key="agent" of={service} />],
            [texts.words.version, service.version],
            [texts.words.description, service.description],
            [texts.words.runtime, isText && runtime],
            ...labelFacts(service.labelSources, "services"),
            [words.lastReport, <Time key="reported" at={service.lastReportedAt} />],
            [words.changed, <Time key="changed" at={service.updatedAt} />],
            [words.firstReported, <Time key="first" at={service.createdAt} />],
            [texts.words.id, <IdValue key="id" id={id} />],
          ]}
        />
      </Section>
      {configs.length > 0 && (
        <Section title={words.tabs.configs}>
          <ServiceConfigs configs={configs} />
        </Section>
      )}
      {!isText && <JsonSection title={texts.words.runtime} value={runtime} />}
      <JsonSection title={words.manifest} value={manifest} />
    </>
  );
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
