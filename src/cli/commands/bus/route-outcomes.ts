import type { Reply } from "../../../api/index.ts";
import { printableLine } from "../../output/printable.ts";
import { layOut } from "../../output/table.ts";

type Match = Reply<"bus-events.list">[number]["routes"][number];

/** Returns a line for each route: its outcome, and its command or the reason why there is none. */
export function routeLines(routes: readonly Match[], withIds: boolean): string {
  const rows = routes.map((match) =>
    [
      ...(withIds ? [match.routeId] : []),
      nameOf(match),
      match.outcome,
      [match.commandId, match.commandStatus, match.reason].filter(Boolean).join("  "),
    ].map(printableLine),
  );
  const columns = (rows[0] ?? []).map(() => ({ head: "", firm: true }));
  const grid = { columns, rows, headed: false, paint: (text: string) => text };
  return layOut(grid, undefined, false).text.trimEnd();
}

function nameOf({ routeId, routeName, routeDeleted }: Match): string {
  const name = routeName ?? routeId;
  return routeDeleted ? `${name} (deleted)` : name;
}
