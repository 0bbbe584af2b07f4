// The page of a route for those who may not change it: what it does, test and replay.

import { Section } from "../../../components/page.tsx";
import { nouns } from "../../../nouns/nouns.ts";
import { texts } from "../../../texts/index.ts";
import { Facts } from "../../../values/facts.tsx";
import { JsonView } from "../../../values/json-view.tsx";
import { StatusBadge } from "../../../values/status-badge.tsx";
import { Time } from "../../../values/time.tsx";
import { BusPage } from "../bus-page.tsx";
import { draftOf, type Route, ruleOfRoute } from "./route-draft.ts";
import { RouteLinks } from "./route-editor.tsx";
import { RouteReplay } from "./route-replay.tsx";
import { RouteTest } from "./route-test.tsx";

const words = texts.busRoutes;

export function RouteReading({ route }: { route: Route }) {
  const { match, target, payload } = route;
  return (
    <BusPage
      title={route.name}
      lead={route.description}
      badge={
        <>
          <StatusBadge status={route.state} />
          <span className="muted small">{words.versionOf(route.version)}</span>
        </>
      }
      parent={{ to: "/bus/routes", text: nouns["bus-routes"].title }}
      actions={<RouteLinks route={route} />}
    >
      <div className="bus-editor">
        <div className="card">
          <Facts
            facts={[
              [words.state, words.states[route.state].text],
              [words.type, <code key="type">{match.type}</code>],
              [words.source, match.source ?? words.anySource],
              [texts.words.service, target.serviceCode],
              [texts.words.action, target.action],
              [texts.words.updated, <Time key="updated" at={route.updatedAt} />],
            ]}
          />
          <Section title={words.data}>
            {match.data ? (
              <JsonView value={match.data} label={words.data} />
            ) : (
              <p>{words.noData}</p>
            )}
          </Section>
          <Section title={words.payload}>
            {payload ? (
              <JsonView value={payload} label={words.payload} />
            ) : (
              <p>{words.wholeEvent}</p>
            )}
          </Section>
        </div>
        <RouteTest draft={draftOf(route)} />
      </div>
      <RouteReplay rule={ruleOfRoute(route)} saved={route} />
    </BusPage>
  );
}
