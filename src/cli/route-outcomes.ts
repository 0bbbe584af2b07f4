// What came of an event at the routes of the bus, in words.

import type { ListedEvent } from "./bus-event-filters.ts";
import { padTo, widthOf } from "./text-width.ts";

type Match = ListedEvent["routes"][number];

/** `2 commands succeeded, 1 route failed`: what became of the commands, and of routes without one. */
export function outcomeOf(routes: readonly Match[]): string {
  const counts = new Map<string, [number, Wording]>();
  for (const match of routes) {
    const wording = wordingOf(match);
    const [count] = counts.get(wording[0]) ?? [0];
    counts.set(wording[0], [count + 1, wording]);
  }
  const parts = [...counts.values()].map(([count, [one, many]]) => {
    return `${count} ${count === 1 ? one : many}`;
  });
  return parts.join(", ") || "no route";
}

type Wording = [one: string, many: string];

function wordingOf({ outcome, commandStatus }: Match): Wording {
  if (outcome === "DRY_RUN") return ["dry run", "dry runs"];
  if (outcome === "FAILED") return ["route failed", "routes failed"];
  const status = commandStatus ? ` ${commandStatus.toLowerCase()}` : "";
  return [`command${status}`, `commands${status}`];
}

/** A line for each: the route, the outcome, and the command as it is now or why there is none. */
export function routeLines(routes: readonly Match[], withIds: boolean): string {
  const cells = routes.map((match) => [
    ...(withIds ? [match.routeId] : []),
    nameOf(match),
    match.outcome,
    [match.commandId, match.commandStatus, match.reason].filter(Boolean).join("  "),
  ]);
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
