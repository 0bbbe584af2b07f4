// What came of an event at the routes of the bus, in words.

import { printableLine } from "../../output/printable.ts";
import { padTo, widthOf } from "../../output/text-width.ts";
import type { ListedEvent } from "./event-filters.ts";

type Match = ListedEvent["routes"][number];

/** A line for each: the route, the outcome, and the command as it is now or why there is none. */
export function routeLines(routes: readonly Match[], withIds: boolean): string {
  const cells = routes.map((match) =>
    [
      ...(withIds ? [match.routeId] : []),
      nameOf(match),
      match.outcome,
      [match.commandId, match.commandStatus, match.reason].filter(Boolean).join("  "),
    ].map(printableLine),
  );
  const widths = cells[0]?.map((_, at) =>
    Math.max(...cells.map((line) => widthOf(line[at] ?? ""))),
  );
  return cells
    .map((line) =>
      line
        .map((text, at) => padTo(text, widths?.[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function nameOf({ routeId, routeName, routeDeleted }: Match): string {
  const name = routeName ?? routeId;
  return routeDeleted ? `${name} (deleted)` : name;
}
