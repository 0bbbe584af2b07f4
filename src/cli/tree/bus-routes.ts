// `platformctl routes …`

import type { ArgumentSpec, CommandSpec, OptionSpec } from "../command.ts";
import { page, requestId, yes } from "./parts.ts";

const route: ArgumentSpec = {
  name: "<route>",
  summary: "id, its beginning, or name",
  completes: "bus-route",
};
const file: OptionSpec = {
  flags: "-f, --file <file>",
  summary: "the route in YAML or JSON; - for standard input",
  completes: "file",
};
const states = ["DISABLED", "DRY_RUN", "ENABLED"];

export const busRoutes: CommandSpec[] = [
  {
    name: "routes list",
    summary: "List routes, newest first",
    options: [
      {
        flags: "--state <state>",
        summary: "DISABLED, DRY_RUN or ENABLED; or several, with commas",
        kind: "several",
        completes: states,
      },
      { flags: "-q, --search <text>", summary: "in the name" },
      ...page,
    ],
    output: true,
    target: true,
    examples: ["routes list --state ENABLED"],
    run: async () => (await import("../commands/bus/bus-routes.ts")).listRoutes,
  },
  {
    name: "routes get",
    summary: "Show a route",
    args: [route],
    output: true,
    target: true,
    onlyPrints: true,
    examples: ["routes get rotate-full-logs -o yaml > route.yaml"],
    run: async () => (await import("../commands/bus/bus-routes.ts")).getRoute,
  },
  {
    name: "routes create",
    summary: "Create a route, from a file or in an editor; DISABLED unless it says otherwise",
    options: [
      { ...file, summary: `${file.summary}; a template in VISUAL or EDITOR without it` },
      { flags: "--state <state>", summary: "in place of the file's", choices: states },
      requestId,
    ],
    output: true,
    target: true,
    examples: [
      "routes create",
      "routes create -f route.yaml",
      "routes create -f - --state DRY_RUN < route.json",
    ],
    run: async () => (await import("../commands/bus/bus-routes.ts")).createRoute,
  },
  {
    name: "routes update",
    summary: "Replace a route by what is in a file; its state stays unless the file has one",
    args: [route],
    options: [file],
    output: true,
    target: true,
    examples: ["routes update rotate-full-logs -f route.yaml"],
    run: async () => (await import("../commands/bus/bus-routes.ts")).updateRoute,
  },
  {
    name: "routes edit",
    summary: "Edit a route in VISUAL or EDITOR",
    args: [route],
    output: true,
    target: true,
    examples: ["routes edit rotate-full-logs"],
    run: async () => (await import("../commands/bus/route-edit.ts")).editRoute,
  },
  {
    name: "routes enable",
    summary: "Let a route make commands",
    args: [route],
    output: true,
    target: true,
    run: async () => (await import("../commands/bus/bus-routes.ts")).enableRoute,
  },
  {
    name: "routes dry-run",
    summary: "Let a route note what it would do, and do nothing",
    args: [route],
    output: true,
    target: true,
    run: async () => (await import("../commands/bus/bus-routes.ts")).dryRunRoute,
  },
  {
    name: "routes disable",
    summary: "Let a route look at no events",
    args: [route],
    output: true,
    target: true,
    run: async () => (await import("../commands/bus/bus-routes.ts")).disableRoute,
  },
  {
    name: "routes delete",
    summary: "Delete a route; the commands that it made stay",
    args: [route],
    options: [yes],
    output: true,
    target: true,
    run: async () => (await import("../commands/bus/bus-routes.ts")).deleteRoute,
  },
  {
    name: "routes test",
    summary: "Show what a route would do with an event, or with all that came in since a time",
    args: [
      {
        name: "[route]",
        summary: "id or name; or a file that is there, with / or .yaml, .yml, .json in its name",
        completes: "bus-route",
      },
    ],
    options: [
      { ...file, summary: "a route that is not saved, in YAML or JSON; - for standard input" },
      {
        flags: "--event <file>",
        summary: "the event in JSON or YAML; - for standard input. Fails when it makes no command",
        completes: "file",
      },
      { flags: "--event-id <id>", summary: "the same with an event that came in" },
      {
        flags: "--since <time>",
        summary: "all that came in then or later; such as 24h (ago), or 2026-01-31",
      },
      { flags: "--until <time>", summary: "with --since: before then" },
      { flags: "--matched", summary: "with --since: only those that match" },
    ],
    output: true,
    target: true,
    onlyPrints: true,
    examples: [
      "routes test rotate-full-logs --event event.json",
      "routes test -f route.yaml --event-id bev_01K0EJ3A6V9FJ7PC0Y7K2P4W6R",
      "routes test route.yaml --since 24h --matched",
    ],
    run: async () => (await import("../commands/bus/route-test.ts")).testRoute,
  },
];
