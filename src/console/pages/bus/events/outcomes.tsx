// What came of an event at the routes that it matched.

import { Link } from "react-router";
import type { Reply } from "../../../client/call.ts";
import { NounLink } from "../../../nouns/noun-link.tsx";
import { texts } from "../../../texts/index.ts";
import { StatusBadge } from "../../../values/status-badge.tsx";

export type BusEventRow = Reply<"bus-events.list">[number];
type Match = BusEventRow["routes"][number];

const words = texts.busEvents;

export function Outcomes({ matches }: { matches: readonly Match[] }) {
  if (matches.length === 0) return <span className="muted">{words.noOutcome}</span>;
  return (
    <ul className="bus-outcomes">
      {matches.map((match) => (
        <li key={match.routeId}>
          <RouteName match={match} />
          <StatusBadge status={match.outcome} />
          {match.commandId && (
            <span>
              <NounLink to="commands" id={match.commandId}>
                {words.command}
              </NounLink>{" "}
              {match.commandStatus && <StatusBadge status={match.commandStatus} />}
            </span>
          )}
          {match.reason !== undefined && <p className="bus-reason small">{match.reason}</p>}
        </li>
      ))}
    </ul>
  );
}

function RouteName({ match }: { match: Match }) {
  const { routeId, routeName = routeId, routeDeleted = false } = match;
  if (routeDeleted) return <span>{words.routeGone(routeName)}</span>;
  return <Link to={`/bus/routes/${routeId}`}>{routeName}</Link>;
}
