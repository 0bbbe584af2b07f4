// `platformctl actions list`: what there is to run.

import type { CommandSpec } from "../command.ts";
import { service } from "../options.ts";

export const actionCatalog: CommandSpec[] = [
  {
    name: "actions list",
    summary: "List the actions that a service declares",
    args: [service],
    output: true,
    target: true,
    examples: ["actions list log-collector", "actions list log-collector -o name"],
    run: async () => (await import("../commands/action-catalog.ts")).listActions,
  },
];
