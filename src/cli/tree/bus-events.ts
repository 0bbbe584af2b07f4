// `platformctl events …`

import type { ArgumentSpec, CommandSpec } from "../command.ts";
import { before, page, requestId } from "./parts.ts";

const event: ArgumentSpec = { name: "<event>", summary: "id", completes: "bus-event" };

export const busEvents: CommandSpec[] = [
  {
    name: "events list",
    summary: "List events that came in, newest first",
    options: [
      { flags: "--type <type>", summary: "of this type, such as order.created" },
      { flags: "--source <code>", summary: "about the service with this code" },
      { flags: "--agent <agent>", summary: "published by this agent", completes: "agent" },
      { flags: "--route <route>", summary: "that matched this route", completes: "bus-route" },
      {
        flags: "--from <time>",
        summary: "received then or later; such as 24h (ago), or 2026-01-31",
      },
      { flags: "--to <time>", summary: "received before then" },
      { flags: "--tail", summary: "the newest, oldest first, and go on with what comes" },
      ...page,
      before,
    ],
    output: "rows",
    target: true,
    examples: [
      "events list --type log.full --from 24h",
      "events list --route rotate-full-logs",
      "events list --tail --limit 5",
    ],
    run: async () => (await import("../commands/bus/bus-events.ts")).listEvents,
  },
  {
    name: "events get",
    summary: "Show an event, and what came of it at the routes that it matched",
    args: [event],
    output: true,
    target: true,
    onlyPrints: true,
    examples: ["events get bev_01K0EJ3A6V9FJ7PC0Y7K2P4W6R -o json | jq .event"],
    run: async () => (await import("../commands/bus/bus-events.ts")).getEvent,
  },
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
    run: async () => (await import("../commands/bus/event-publish.ts")).publishEvent,
  },
];
