// `platformctl services …`

import { effectiveStatuses } from "../../domain/services.ts";
import type { CommandSpec } from "../command.ts";
import { pages, service, timeout, yes } from "./parts.ts";

export const services: CommandSpec[] = [
  {
    name: "services list",
    summary: "List managed services with their state",
    options: [
      {
        flags: "--status <status>",
        summary: "HEALTHY, UNHEALTHY, STALE, OFFLINE or UNKNOWN; or several, with commas",
        kind: "several",
        completes: effectiveStatuses,
      },
      { flags: "--health <word>", summary: "as last reported, such as UP" },
      { flags: "--agent <agent>", summary: "of this agent", completes: "agent" },
      { flags: "-q, --search <text>", summary: "in code and name" },
      ...pages,
    ],
    output: "rows",
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
    onlyPrints: true,
    run: async () => (await import("../commands/services.ts")).getService,
  },
  {
    name: "services move",
    summary: "Give a service to another agent, which must be online",
    args: [service],
    options: [
      {
        flags: "--to <agent>",
        summary: "whose reports of it are taken from now on",
        completes: "agent",
      },
    ],
    output: true,
    target: true,
    examples: ["services move redis --to edge-9"],
    run: async () => (await import("../commands/services.ts")).moveService,
  },
  {
    name: "services actions",
    summary: "List what can be done with a service, as `actions list` does",
    args: [service],
    output: "rows",
    target: true,
    run: async () => (await import("../commands/action-catalog.ts")).listActions,
  },
  {
    name: "services delete",
    summary: "Delete a service that is OFFLINE or STALE",
    args: [service],
    options: [yes],
    output: true,
    target: true,
    examples: ["services delete log-collector --yes"],
    run: async () => (await import("../commands/services.ts")).deleteService,
  },
  {
    name: "services wait",
    summary: "Wait until a service is there and HEALTHY, or in another state",
    args: [service],
    options: [
      {
        flags: "--for <status>",
        summary: "HEALTHY, UNHEALTHY, STALE, OFFLINE or UNKNOWN",
        default: "HEALTHY",
        completes: effectiveStatuses,
      },
      timeout,
    ],
    output: true,
    target: true,
    examples: ["services wait log-collector --timeout 2m"],
    run: async () => (await import("../commands/waits.ts")).waitForService,
  },
];
