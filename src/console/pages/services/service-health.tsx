// The health that a service's agent reports, and its history.

import { ArrowRight } from "lucide-react";
import type { Reply } from "../../client/call.ts";
import { usePage } from "../../client/queries.ts";
import { Section } from "../../components/page.tsx";
import { ShortList } from "../../lists/short-list.tsx";
import { texts } from "../../texts/index.ts";
import { Facts } from "../../values/facts.tsx";
import { StatusBadge } from "../../values/status-badge.tsx";
import { Time } from "../../values/time.tsx";
import { ValueSection } from "../../values/value-view.tsx";

const words = texts.services;
const action = "service.health.changed";

export function ServiceHealth({ service }: { service: Reply<"services.get"> }) {
  const { id, status, healthStatus, healthMessage, healthChangedAt, healthDetails } = service;
  return (
    <>
      <Facts
        card
        facts={[
          [words.effective, <StatusBadge key="effective" status={status} />],
          [words.reported, <Reported key="reported" health={healthStatus} />],
          [words.since, healthChangedAt && <Time key="since" at={healthChangedAt} />],
          [texts.words.message, healthMessage],
        ]}
      />
      <ValueSection title={words.healthDetails} value={healthDetails} />
      <Section title={words.transitions}>
        <Transitions targetId={id} />
      </Section>
    </>
  );
}

function Transitions({ targetId }: { targetId: string }) {
  const query = usePage("audit-events.list", { query: { targetId, action, pageSize: 20 } });
  const to = `/audit?${new URLSearchParams({ targetId, action })}`;
  return (
    <ShortList query={query} empty={words.noTransitions} all={{ to, text: words.moreTransitions }}>
      {(changes) => (
        <ol className="service-timeline plain" aria-label={words.transitionsLabel}>
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

/** Shows the health as the agent reports it, which can be any word. */
function Reported({ health }: { health: unknown }) {
  if (typeof health !== "string") return <span className="muted">{words.nothingReported}</span>;
  return <StatusBadge status={health} />;
}
