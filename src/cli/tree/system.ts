// `platformctl health`, `version`: the server itself.

import type { CommandSpec } from "../command.ts";

export const system: CommandSpec[] = [
  {
    name: "health",
    summary: "Ask the server how it is; fails when it is DOWN",
    output: true,
    target: true,
    run: async () => (await import("../commands/system.ts")).health,
  },
  {
    name: "version",
    summary: "Show the version of this program, and of the server if it answers",
    output: true,
    target: true,
    run: async () => (await import("../commands/version.ts")).version,
  },
];
