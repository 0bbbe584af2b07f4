// The event bus: `platformctl routes …` and `platformctl events …`.

import type { CommandFunction, CommandSpec, OptionSpec } from "../../command.ts";
import { commandsOf } from "../../nouns/commands.ts";
import { argumentFor, requestId } from "../../options.ts";

const route = argumentFor("bus-routes");
const file: OptionSpec = {
  flags: "-f, --file <file>",
  summary: "the route in YAML or JSON; - for standard input",
  completes: "file",
};
const states = ["DISABLED", "DRY_RUN", "ENABLED"];

const ownOfRoutes: CommandSpec[] = [
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
    run: async () => (await import("./bus-routes.ts")).createRoute,
  },
  {
    name: "routes update",
    summary: "Replace a route by what is in a file; its state stays unless the file has one",
    args: [route],
    options: [file],
    output: true,
    target: true,
    examples: ["routes update rotate-full-logs -f route.yaml"],
    run: async () => (await import("./bus-routes.ts")).updateRoute,
  },
  {
    name: "routes edit",
    summary: "Edit a route in VISUAL or EDITOR",
    args: [route],
    output: true,
    target: true,
    examples: ["routes edit rotate-full-logs"],
    run: async () => (await import("./route-edit.ts")).editRoute,
  },
  {
    name: "routes enable",
    summary: "Let a route make commands",
    args: [route],
    output: true,
    target: true,
    run: async () => (await import("./bus-routes.ts")).enableRoute,
  },
  {
    name: "routes dry-run",
    summary: "Let a route note what it would do, and do nothing",
    args: [route],
    output: true,
    target: true,
    run: async () => (await import("./bus-routes.ts")).dryRunRoute,
  },
  {
    name: "routes disable",
    summary: "Let a route look at no events",
    args: [route],
    output: true,
    target: true,
    run: async () => (await import("./bus-routes.ts")).disableRoute,
  },
  {
    name: "routes test",
    summary: "Show what a route would do with an event, or with all that came in since a time",
    args: [
      {
        name: "[route]",
        summary: "id or name; or a file that is there, with / or .yaml, .yml, .json in its name",
        completes: "bus-routes",
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
    run: async () => (await import("./route-test.ts")).testRoute,
  },
];

export const busRoutes: CommandSpec[] = commandsOf("bus-routes", {
  own: ownOfRoutes,
  print: async () => (await import("./saved-route.ts")).printRoute,
});

const ownOfEvents: CommandSpec[] = [
  {
    name: "events publish",
    summary: "Publish an event in the name of a service, and show what came of it",
    options: [
      {
        flags: "-f, --file <file>",
        summary: "the event in JSON or YAML; - for standard input",
        completes: "file",
      },
      { flags: "--type <type>", summary: "a dotted name; these are in place of the file's" },
      { flags: "--source <code>", summary: "code of the service that it is about" },
      { flags: "--id <id>", summary: "the same id again is the same event" },
      { flags: "--subject <text>", summary: "what of the service it is about" },
      { flags: "--data <json>", summary: "what it says, in JSON; @file, or - for standard input" },
      { flags: "--cause <id>", summary: "the event or the command that it comes from" },
      requestId,
    ],
    output: true,
    target: true,
    examples: [
      "events publish -f event.yaml",
      `events publish --type log.full --source log-collector --data '{"file":"app.log"}'`,
    ],
    run: async () => (await import("./event-publish.ts")).publishEvent,
  },
];

/** With `--tail`, follows what arrives. */
async function listOrTail(listed: () => Promise<CommandFunction>): Promise<CommandFunction> {
  return async (invocation) => {
    const { tailEvents } = await import("./event-tail.ts");
    return invocation.options.tail ? tailEvents(invocation) : (await listed())(invocation);
  };
}

export const busEvents: CommandSpec[] = commandsOf("bus-events", {
  own: ownOfEvents,
  list: {
    options: [
      { flags: "--tail", summary: "the newest, oldest first, then new ones as they arrive" },
    ],
    examples: [
      "events list --type log.full --from 24h",
      "events list --route rotate-full-logs",
      "events list --tail --limit 5",
    ],
    run: listOrTail,
  },
  print: async () => (await import("./bus-events.ts")).printEvent,
});
