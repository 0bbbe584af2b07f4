// `platformctl services …`

import type { CommandSpec } from "../command.ts";
import { pages, service } from "./parts.ts";

export const services: CommandSpec[] = [
  {
    name: "services list",
    summary: "List managed services with their state",
    options: [
      { flags: "--status <status>", summary: "HEALTHY, UNHEALTHY, STALE, OFFLINE or UNKNOWN" },
      { flags: "--health <word>", summary: "as last reported, such as UP" },
      { flags: "--agent <agent>", summary: "of this agent" },
      { flags: "-q, --search <text>", summary: "in code and name" },
      ...pages,
    ],
    output: true,
    target: true,
    examples: ["services list --status UNHEALTHY", "services list -o json"],
    run: async () => (await import("../commands/services.ts")).listServices,
  },
  {
    name: "services get",
    summary: "Show a service with its configs and actions",
    args: [service],
    output: true,
    target: true,
    run: async () => (await import("../commands/services.ts")).getService,
  },
  {
    name: "services actions",
    summary: "List what can be done with a service, as `actions list` does",
    args: [service],
    output: true,
    target: true,
    run: async () => (await import("../commands/action-catalog.ts")).listActions,
  },
];
