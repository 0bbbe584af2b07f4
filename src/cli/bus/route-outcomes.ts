// What came of an event at the routes of the bus, in words.

import { printableLine } from "../output/printable.ts";
import { padTo, widthOf } from "../output/text-width.ts";
import type { ListedEvent } from "./event-filters.ts";

type Match = ListedEvent["routes"][number];

/** `2 commands succeeded, 1 route failed`: what became of the commands, and of routes without one. */
export function outcomeOf(routes: readonly Match[]): string {
  const counts = new Map<string, number>();
  for (const match of routes) {
    const kind = kindOf(match);
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const parts = [...counts].map(([kind, count]) => `${count} ${count === 1 ? kind : manyOf(kind)}`);
  return parts.join(", ") || "no route";
}

function kindOf({ outcome, commandStatus }: Match): string {
  if (outcome === "DRY_RUN") return "dry run";
  if (outcome === "FAILED") return "route failed";
  return commandStatus ? `command ${commandStatus.toLowerCase()}` : "command";
}

function manyOf(kind: string): string {
  return kind.replace(/^(command|route|dry run)/, "$1s");
}

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
