import type { CommandFunction, CommandSpec, OptionSpec } from "../../command.ts";
import { commandsOf } from "../../nouns/commands.ts";
import { argumentFor, callsApi, fileOption, option, requestId } from "../../options.ts";

const route = argumentFor("bus-routes");
const file: OptionSpec = fileOption(
  "-f, --file <file>",
  "the route in YAML or JSON; - for standard input",
);
const states = ["DISABLED", "DRY_RUN", "ENABLED"] as const;

function switching(word: string, state: (typeof states)[number], summary: string): CommandSpec {
  return {
    name: `routes ${word}`,
    summary,
    args: [route],
    ...callsApi,
    run: async () => (await import("./bus-routes.ts")).switchTo(state),
  };
}

export const busRoutes = (): CommandSpec[] =>
  commandsOf("bus-routes", {
    print: async () => (await import("./saved-route.ts")).printRoute,
    own: [
      {
        name: "routes create",
        summary:
          "Create a route from a file or in an editor; the route is DISABLED unless you give " +
          "another state",
        options: [
          {
            ...file,
            summary: `${file.summary}; without a file, edit a template in VISUAL or EDITOR`,
          },
          option("--state <state>", "overrides the file's state", { choices: [...states] }),
          requestId,
        ],
        ...callsApi,
        examples: [
          "routes create",
          "routes create -f route.yaml",
          "routes create -f - --state DRY_RUN < route.json",
        ],
        run: async () => (await import("./bus-routes.ts")).createRoute,
      },
      {
        name: "routes update",
        summary:
          "Replace a route with the one in a file; the route keeps its state unless the file " +
          "contains a state",
        args: [route],
        options: [file],
        ...callsApi,
        examples: ["routes update rotate-full-logs -f route.yaml"],
        run: async () => (await import("./bus-routes.ts")).updateRoute,
      },
      {
        name: "routes edit",
        summary: "Edit a route in VISUAL or EDITOR",
        args: [route],
        ...callsApi,
        examples: ["routes edit rotate-full-logs"],
        run: async () => (await import("./route-edit.ts")).editRoute,
      },
      switching("enable", "ENABLED", "Make a route create commands"),
      switching("dry-run", "DRY_RUN", "Make a route record what it would do, without doing it"),
      switching("disable", "DISABLED", "Make a route ignore all events"),
      {
        name: "routes test",
        summary:
          "Show what a route would do with an event, or with all events received since a given time",
        args: [
          {
            name: "[route]",
            summary: "id or name; or an existing file with / or .yaml, .yml, .json in its name",
            completes: "bus-routes",
          },
        ],
        options: [
          { ...file, summary: "an unsaved route, in YAML or JSON; - for standard input" },
          option(
            "--event <file>",
            "the event in JSON or YAML; - for standard input. Fails if the route, once enabled, would create no command",
            { completes: "file" },
          ),
          option("--event-id <id>", "the id of a stored event, instead of --event"),
          option(
            "--since <time>",
            "all events received at or after this time, such as 24h (ago) or 2026-01-31",
          ),
          option("--until <time>", "with --since: before this time"),
          option("--matched", "with --since: only events that match"),
        ],
        ...callsApi,
        onlyPrints: true,
        examples: [
          "routes test rotate-full-logs --event event.json",
          "routes test -f route.yaml --event-id bev_01K0EJ3A6V9FJ7PC0Y7K2P4W6R",
          "routes test route.yaml --since 24h --matched",
        ],
        run: async () => (await import("./route-test.ts")).testRoute,
      },
    ],
  });

async function listOrTail(listed: () => Promise<CommandFunction>): Promise<CommandFunction> {
  return async (invocation) => {
    const { tailEvents } = await import("./event-tail.ts");
    return invocation.options.tail ? tailEvents(invocation) : (await listed())(invocation);
  };
}

export const busEvents = (): CommandSpec[] =>
  commandsOf("bus-events", {
    list: {
      options: [
        option("--tail", "print the newest events, oldest first, then new ones as they arrive"),
      ],
      examples: [
        "events list --type log.full --from 24h",
        "events list --route rotate-full-logs",
        "events list --tail --limit 5",
      ],
      run: listOrTail,
    },
    print: async () => (await import("./bus-events.ts")).printEvent,
    own: [
      {
        name: "events publish",
        summary: "Publish an event on behalf of a service, and show what the routes did",
        options: [
          { ...file, summary: "the event in JSON or YAML; - for standard input" },
          option("--type <type>", "the event's type; this flag and those below override the file"),
          option("--source <code>", "code of the service that the event is about"),
          option("--id <id>", "the event's id; an event with a known id is not stored again"),
          option("--subject <text>", "the part of the service that the event is about"),
          option("--data <json>", "the event's data in JSON, @file, or - for standard input"),
          option("--cause <id>", "the event or command that caused this event"),
          requestId,
        ],
        ...callsApi,
        examples: [
          "events publish -f event.yaml",
          `events publish --type log.full --source log-collector --data '{"file":"app.log"}'`,
        ],
        run: async () => (await import("./event-publish.ts")).publishEvent,
      },
    ],
  });
