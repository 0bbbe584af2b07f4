// `platformctl health`: the server itself.

import type { CommandSpec } from "../command.ts";

export const system: CommandSpec[] = [
  {
    name: "health",
    summary: "Ask the server how it is; fails when it is DOWN",
    output: true,
    target: true,
    run: async () => (await import("../commands/system.ts")).health,
  },
];
