// A service's status, with the reason for it, and facts about the service.

import type { Reply } from "../../client/call.ts";
import { useCall } from "../../client/queries.ts";
import { Section } from "../../components/page.tsx";
import { AgentLink } from "../../nouns/owner-links.tsx";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { IdValue } from "../../values/id-value.tsx";
import { JsonSection } from "../../values/json-view.tsx";
import { labelLinks } from "../../values/label-links.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";

type ServiceDetail = Reply<"services.get">;

const words = texts.services;

export function ServiceOverview({ service }: { service: ServiceDetail }) {
  const { runtime, manifest, claims } = service;
  const isText = typeof runtime === "string";
  return (
    <>
      <Section title={texts.words.status}>
        <Status service={service} />
      </Section>
      {claims.length > 0 && <Claims claims={claims} />}
      <Section title={words.about}>
        <Facts
          card
          facts={[
            [texts.words.agent, <AgentLink key="agent" of={service} />],
            [texts.words.version, service.version],
            [texts.words.description, service.description],
            [texts.words.runtime, isText && runtime],
            [texts.words.labels, labelLinks({ labels: service.labels, to: "services" })],
            [words.lastReport, <Time key="reported" at={service.lastReportedAt} />],
            [words.changed, <Time key="changed" at={service.updatedAt} />],
            [words.firstReported, <Time key="first" at={service.createdAt} />],
            [texts.words.id, <IdValue key="id" id={service.id} />],
          ]}
        />
      </Section>
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
            <AgentLink of={claim} /> {words.alsoReports} <Time at={claim.since} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Status({ service }: { service: ServiceDetail }) {
  const { agentId, status, storedStatus, healthMessage } = service;
  const { data: agent } = useCall("agents.get", { params: { agentId } });
  return (
    <dl className="service-statuses columns card">
      <div>
        <dt className="muted small">{words.effective}</dt>
        <dd>
          <StatusBadge status={status} />
          <p className="muted small">{words.why[reasonOf(status, agent)]}</p>
          {healthMessage && <p>{healthMessage}</p>}
        </dd>
      </div>
      <div>
        <dt className="muted small">{words.stored}</dt>
        <dd>
          <StatusBadge status={storedStatus} />
          <p className="muted small">{words.storedMeaning}</p>
        </dd>
      </div>
    </dl>
  );
}

function reasonOf(
  status: ServiceDetail["status"],
  agent: Reply<"agents.get"> | undefined,
): keyof typeof words.why {
  if (status === "STALE") return "stale";
  if (status !== "OFFLINE") return status;
  if (agent?.status === "DISABLED") return "disabled";
  return agent?.token === null ? "noToken" : "silent";
}
