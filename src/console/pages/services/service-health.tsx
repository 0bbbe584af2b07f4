// How a service is, as its agent says, and how that has changed.

import { ArrowRight } from "lucide-react";
import type { Reply } from "../../client/call.ts";
import { usePage } from "../../client/queries.ts";
import { Section } from "../../components/page.tsx";
import { ShortList } from "../../lists/short-list.tsx";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { JsonView } from "../../values/json-view.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";

type ServiceDetail = Reply<"services.get">;

const words = texts.services;
const action = "service.health.changed";
const shown = 20;

export function ServiceHealth({ service }: { service: ServiceDetail }) {
  const { id, status, healthStatus, healthMessage, healthChangedAt, healthDetails } = service;
  return (
    <>
      <div className="card">
        <Facts
          facts={[
            [words.effective, <StatusBadge key="effective" status={status} />],
            [words.reported, <Reported key="reported" health={healthStatus} />],
            [words.since, healthChangedAt && <Time key="since" at={healthChangedAt} />],
            [texts.words.message, healthMessage],
          ]}
        />
      </div>
      {healthDetails !== null && (
        <Section title={words.healthDetails}>
          <JsonView value={healthDetails} label={words.healthDetails} />
        </Section>
      )}
      <Section title={words.transitions}>
        <Transitions serviceId={id} />
      </Section>
    </>
  );
}

function Transitions({ serviceId }: { serviceId: string }) {
  const query = usePage("audit-events.list", {
    query: { targetId: serviceId, action, pageSize: shown },
  });
  return (
    <ShortList
      query={query}
      empty={words.noTransitions}
      all={{
        to: `/audit?${new URLSearchParams({ targetId: serviceId, action })}`,
        text: words.moreTransitions,
      }}
    >
      {(changes) => (
        <ol className="service-timeline" aria-label={words.transitionsLabel}>
          {changes.map(({ id, at, message, metadata }) => (
            <li key={id}>
              <Time at={at} />
              <span className="row">
                <Reported health={metadata.from} />
                <ArrowRight role="img" aria-label={words.to} />
                <Reported health={metadata.to} />
                {message !== null && <span className="muted small">{message}</span>}
              </span>
            </li>
          ))}
        </ol>
      )}
    </ShortList>
  );
}

/** As the agent wrote it: any word may come. */
function Reported({ health }: { health: unknown }) {
  if (typeof health !== "string") return <span className="muted">{words.nothingReported}</span>;
  return <StatusBadge status={health} />;
}
