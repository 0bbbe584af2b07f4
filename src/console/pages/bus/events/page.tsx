// The page of one bus event, with links that test a route against it.

import { useState } from "react";
import { Link, useParams } from "react-router";
import type { Reply } from "../../../client/call.ts";
import { useCall, usePage } from "../../../client/queries.ts";
import { useMay } from "../../../client/session.ts";
import { ButtonLink } from "../../../components/buttons/button.tsx";
import { Section } from "../../../components/page.tsx";
import { ChoiceField } from "../../../fields/inputs.tsx";
import { NounLink } from "../../../nouns/noun-link.tsx";
import { NounPage } from "../../../nouns/noun-page.tsx";
import { nouns } from "../../../nouns/nouns.ts";
import { texts } from "../../../texts/index.ts";
import { Facts } from "../../../values/facts.tsx";
import { IdValue } from "../../../values/id-value.tsx";
import { JsonSection } from "../../../values/json-view.tsx";
import { Time } from "../../../values/time.tsx";
import { BusPage } from "../bus-page.tsx";
import { Outcomes } from "./list.tsx";

const words = texts.busEvents;
const depths: Readonly<Record<number, string>> = words.depths;

export function Component() {
  const { eventId = "" } = useParams();
  const query = useCall("bus-events.get", { params: { eventId } });
  return (
    <NounPage
      noun={nouns["bus-events"]}
      query={query}
      frame={BusPage}
      title={query.data?.type ?? words.event}
    >
      {(event) => (
        <>
          <EventFacts event={event} />
          <Section title={words.outcome}>
            <Outcomes matches={event.routes} />
          </Section>
          <JsonSection title={words.envelope} value={event.event} />
          <Section title={words.test.title}>
            <TestLinks eventId={event.id} />
          </Section>
        </>
      )}
    </NounPage>
  );
}

function EventFacts({ event }: { event: Reply<"bus-events.get"> }) {
  const { id, source, sourceEventId, agentId, depth, causationId } = event;
  const services = (
    <Link key="source" to={`/services?q=${encodeURIComponent(source)}`}>
      {source}
    </Link>
  );
  return (
    <Facts
      card
      facts={[
        [words.received, <Time key="received" at={event.receivedAt} />],
        [words.source, services],
        [words.subject, event.subject],
        [texts.words.agent, <NounLink to="agents" key="agent" id={agentId} />],
        [texts.words.id, <IdValue key="id" id={id} />],
        [words.sourceEventId, sourceEventId !== id && sourceEventId],
        [words.depth, depths[depth] ?? depth],
        [words.causation, causationId && causeLink(causationId)],
        [words.correlation, event.correlationId],
      ]}
    />
  );
}

/** The id is that of a command, an event, or an object that only the publisher knows. */
function causeLink(id: string) {
  if (/^cmd_\w{26}$/.test(id)) return <NounLink to="commands" id={id} />;
  if (/^bev_\w{26}$/.test(id)) return <NounLink to="bus-events" id={id} />;
  return id;
}

function TestLinks({ eventId }: { eventId: string }) {
  const { data } = usePage("bus-routes.list", { query: { pageSize: 200 } });
  const routes = (data?.data ?? []).map(({ id, name }) => [id, name] as const);
  const [chosen, setChosen] = useState("");
  const routeId = chosen || routes[0]?.[0];
  const mayCreate = useMay("operator");
  const { lead, open, create } = words.test;
  return (
    <>
      <p className="muted">{lead}</p>
      <div className="row inline-fields">
        {routeId !== undefined && (
          <>
            <ChoiceField
              label={words.route}
              value={routeId}
              onChange={setChosen}
              options={routes}
            />
            <ButtonLink to={`/bus/routes/${routeId}?eventId=${eventId}`}>{open}</ButtonLink>
          </>
        )}
        {mayCreate && <ButtonLink to={`/bus/routes/new?eventId=${eventId}`}>{create}</ButtonLink>}
      </div>
    </>
  );
}
