// One event of the bus: its envelope, what came of it, and where it comes from.

import type { ReactNode } from "react";
import { useState } from "react";
import { Link, useParams } from "react-router";
import type { Reply } from "../../../client/call.ts";
import { useCall } from "../../../client/queries.ts";
import { useMay } from "../../../client/session.ts";
import { ButtonLink } from "../../../components/button.tsx";
import { Section } from "../../../components/page.tsx";
import { Field } from "../../../fields/field.tsx";
import { Loaded } from "../../../lists/loaded.tsx";
import { NounLink } from "../../../nouns/noun-link.tsx";
import { nouns } from "../../../nouns/nouns.ts";
import { texts } from "../../../texts/index.ts";
import { Facts } from "../../../values/facts.tsx";
import { JsonView } from "../../../values/json-view.tsx";
import { Time } from "../../../values/time.tsx";
import { BusPage } from "../bus-page.tsx";
import { useRouteChoices } from "../routes/route-choices.ts";
import { Outcomes } from "./outcomes.tsx";

type BusEvent = Reply<"bus-events.get">;

const words = texts.busEvents;

export function Component() {
  const { eventId = "" } = useParams();
  const query = useCall("bus-events.get", { params: { eventId } });
  return (
    <BusPage
      title={query.data?.type ?? words.event}
      parent={{ to: "/bus/events", text: nouns["bus-events"].title }}
    >
      <Loaded query={query}>
        {(event) => (
          <>
            <div className="card">
              <EventFacts event={event} />
            </div>
            <Section title={words.outcome}>
              <Outcomes matches={event.routes} />
            </Section>
            <Section title={words.envelope}>
              <JsonView value={event.event} label={words.envelope} />
            </Section>
            <Section title={words.test.title}>
              <TestLinks eventId={event.id} />
            </Section>
          </>
        )}
      </Loaded>
    </BusPage>
  );
}

function EventFacts({ event }: { event: BusEvent }) {
  const { source, agentId, depth, causationId } = event;
  return (
    <Facts
      facts={[
        [words.received, <Time key="received" at={event.receivedAt} />],
        [
          words.source,
          <Link key="source" to={`/services?q=${encodeURIComponent(source)}`}>
            {source}
          </Link>,
        ],
        [words.subject, event.subject],
        [texts.words.agent, <NounLink to="agents" key="agent" id={agentId} />],
        [texts.words.id, event.id],
        [words.sourceEventId, event.sourceEventId],
        [words.depth, words.depths[depth] ?? depth],
        [words.causation, causationId && causeLink(causationId)],
        [words.correlation, event.correlationId],
      ]}
    />
  );
}

/** A command of the bus, or an event by our id; a publisher's own id leads nowhere. */
function causeLink(id: string): ReactNode {
  if (/^cmd_\w{26}$/.test(id)) return <NounLink to="commands" id={id} />;
  if (/^bev_\w{26}$/.test(id)) return <Link to={`/bus/events/${id}`}>{id}</Link>;
  return id;
}

function TestLinks({ eventId }: { eventId: string }) {
  const routes = useRouteChoices();
  const [chosen, setChosen] = useState("");
  const routeId = chosen || routes[0]?.[0];
  const mayCreate = useMay("operator");
  return (
    <>
      <p className="muted">{words.test.lead}</p>
      <div className="bus-inline inline-fields">
        {routeId !== undefined && (
          <>
            <Field label={words.route}>
              {(control) => (
                <select
                  {...control}
                  value={routeId}
                  onChange={(event) => setChosen(event.target.value)}
                >
                  {routes.map(([id, name]) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </select>
              )}
            </Field>
            <ButtonLink to={`/bus/routes/${routeId}?eventId=${eventId}`}>
              {words.test.open}
            </ButtonLink>
          </>
        )}
        {mayCreate && (
          <ButtonLink to={`/bus/routes/new?eventId=${eventId}`}>{words.test.create}</ButtonLink>
        )}
      </div>
    </>
  );
}
