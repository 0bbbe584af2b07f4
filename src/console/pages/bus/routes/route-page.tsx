// The page of a route: the editor, or a view for users who cannot change the route.

import { useParams } from "react-router";
import { useCall } from "../../../client/queries.ts";
import { useMay } from "../../../client/session.ts";
import { Section } from "../../../components/page.tsx";
import { NounPage } from "../../../nouns/noun-page.tsx";
import { nouns } from "../../../nouns/nouns.ts";
import { texts } from "../../../texts/index.ts";
import { Facts } from "../../../values/facts.tsx";
import { JsonView } from "../../../values/json-view.tsx";
import { Time } from "../../../values/time.tsx";
import { BusPage } from "../bus-page.tsx";
import { draftOf, type Route, ruleOfRoute, wholeEvent } from "./route-draft.ts";
import { EventsLink, RouteEditor } from "./route-editor.tsx";
import { RouteReplay } from "./route-replay.tsx";
import { RouteTest } from "./route-test.tsx";

const words = texts.busRoutes;

export function Component() {
  const { routeId = "" } = useParams();
  const query = useCall("bus-routes.get", { params: { routeId } });
  const route = query.data;
  if (useMay("operator")) return <RouteEditor query={query} />;
  return (
    <NounPage
      noun={nouns["bus-routes"]}
      query={query}
      frame={BusPage}
      lead={route?.description}
      badge={
        route && <span className="muted small">{words.versionOf({ version: route.version })}</span>
      }
      actions={route && <EventsLink route={route} />}
    >
      {(loaded) => (
        <>
          <div className="bus-editor">
            <RouteFacts route={loaded} />
            <RouteTest draft={draftOf(loaded)} />
          </div>
          <RouteReplay rule={ruleOfRoute(loaded)} saved={loaded} />
        </>
      )}
    </NounPage>
  );
}

function RouteFacts({ route: { state, match, target, payload, updatedAt } }: { route: Route }) {
  return (
    <div className="card">
      <Facts
        facts={[
          [words.state, words.states[state].text],
          [words.type, <code key="type">{match.type}</code>],
          [words.source, match.source ?? words.anySource],
          [texts.words.service, target.serviceCode],
          [texts.words.action, target.action],
          [texts.words.updated, <Time key="updated" at={updatedAt} />],
        ]}
      />
      <Section title={words.data}>
        {match.data ? <JsonView value={match.data} label={words.data} /> : <p>{words.noData}</p>}
      </Section>
      <Section title={words.payload}>
        {payload ? <JsonView value={payload} label={words.payload} /> : <p>{wholeEvent}</p>}
      </Section>
    </div>
  );
}
