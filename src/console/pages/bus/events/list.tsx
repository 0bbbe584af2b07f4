// The list of bus events, and the outcomes of one event.

import { softBreaks } from "../../../components/text/soft-breaks.tsx";
import { NounLink } from "../../../nouns/noun-link.tsx";
import { type ListedRow, NounList } from "../../../nouns/noun-list.tsx";
import { texts } from "../../../texts/index.ts";
import { StatusBadge } from "../../../values/status-badge.tsx";
import { BusPage } from "../bus-page.tsx";

type EventRow = ListedRow<"bus-events">;

const words = texts.busEvents;
const cells = { outcome: ({ routes }: EventRow) => <Outcomes matches={routes} /> };

export function Component() {
  return <NounList noun="bus-events" frame={BusPage} cells={cells} />;
}

export function Outcomes({ matches }: { matches: EventRow["routes"] }) {
  if (matches.length === 0) return <span className="muted">{words.noOutcome}</span>;
  return (
    <ul className="bus-outcomes stack plain">
      {matches.map((match) => {
        const { routeId, routeName = routeId, routeDeleted = false } = match;
        const { outcome, commandId, commandStatus, reason } = match;
        return (
          <li key={routeId}>
            {routeDeleted ? (
              <span>{softBreaks(words.routeGone({ name: routeName }))}</span>
            ) : (
              <NounLink to="bus-routes" id={routeId}>
                {routeName}
              </NounLink>
            )}
            <StatusBadge status={outcome} />
            {commandId && (
              <span>
                <NounLink to="commands" id={commandId}>
                  {words.command}
                </NounLink>{" "}
                {commandStatus && <StatusBadge status={commandStatus} />}
              </span>
            )}
            {reason !== undefined && <p className="bus-reason muted small">{softBreaks(reason)}</p>}
          </li>
        );
      })}
    </ul>
  );
}
