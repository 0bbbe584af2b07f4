// What a service is, what its status is, and in words why.

import type { Reply } from "../../client/call.ts";
import { useCall } from "../../client/queries.ts";
import { Section } from "../../components/page.tsx";
import { NounLink } from "../../nouns/noun-link.tsx";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { JsonView } from "../../values/json-view.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { ServiceClaims } from "./service-claims.tsx";

type ServiceDetail = Reply<"services.get">;

const words = texts.services;

export function ServiceOverview({ service }: { service: ServiceDetail }) {
  const { runtime, manifest } = service;
  const isPlain = typeof runtime === "string";
  return (
    <>
      <Section title={words.statusTitle}>
        <StatusWords service={service} />
      </Section>
      {service.claims.length > 0 && (
        <Section title={words.claims}>
          <ServiceClaims claims={service.claims} />
        </Section>
      )}
      <Section title={words.about}>
        <div className="card">
          <Facts
            facts={[
              [texts.words.agent, agentLink(service)],
              [texts.words.version, service.version],
              [texts.words.description, service.description],
              [texts.words.runtime, isPlain && runtime],
              [words.lastReport, <Time key="reported" at={service.lastReportedAt} />],
              [words.changed, <Time key="changed" at={service.updatedAt} />],
              [words.firstReported, <Time key="first" at={service.createdAt} />],
              [texts.words.id, <code key="id">{service.id}</code>],
            ]}
          />
        </div>
      </Section>
      {runtime !== null && !isPlain && (
        <Section title={texts.words.runtime}>
          <JsonView value={runtime} label={texts.words.runtime} />
        </Section>
      )}
      {manifest !== null && (
        <Section title={words.manifest}>
          <JsonView value={manifest} label={words.manifest} />
        </Section>
      )}
    </>
  );
}

function agentLink({ agentId, agentCode }: ServiceDetail) {
  return (
    <NounLink to="agents" id={agentId}>
      {agentCode}
    </NounLink>
  );
}

function StatusWords({ service }: { service: ServiceDetail }) {
  const { agentId, status, storedStatus, healthMessage } = service;
  const { data: agent } = useCall("agents.get", { params: { agentId } });
  return (
    <dl className="service-statuses card">
      <div>
        <dt>{words.effective}</dt>
        <dd>
          <StatusBadge status={status} />
          <p className="muted small">{words.why[reasonOf(status, agent)]}</p>
          {healthMessage && <p>{healthMessage}</p>}
        </dd>
      </div>
      <div>
        <dt>{words.stored}</dt>
        <dd>
          <StatusBadge status={storedStatus} />
          <p className="muted small">{words.storedMeaning}</p>
        </dd>
      </div>
    </dl>
  );
}

/** The first that holds. */
function reasonOf(
  status: ServiceDetail["status"],
  agent: Reply<"agents.get"> | undefined,
): keyof typeof words.why {
  if (status === "STALE") return "stale";
  if (status !== "OFFLINE") return status;
  if (agent?.status === "DISABLED") return "disabled";
  return agent?.token === null ? "noToken" : "silent";
}
