// `platformctl events …`

import type { CommandFunction, CommandSpec } from "../command.ts";
import { commandsOf } from "../nouns/commands.ts";
import { requestId } from "../options.ts";

const own: CommandSpec[] = [
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

/** With `--tail`, follows what arrives. */
async function list(listed: () => Promise<CommandFunction>): Promise<CommandFunction> {
  return async (invocation) => {
    const { tailEvents } = await import("../commands/bus/event-tail.ts");
    return invocation.options.tail ? tailEvents(invocation) : (await listed())(invocation);
  };
}

export const busEvents: CommandSpec[] = commandsOf("bus-events", {
  own,
  list: {
    options: [
      { flags: "--tail", summary: "the newest, oldest first, then new ones as they arrive" },
    ],
    examples: [
      "events list --type log.full --from 24h",
      "events list --route rotate-full-logs",
      "events list --tail --limit 5",
    ],
    run: list,
  },
  print: async () => (await import("../commands/bus/bus-events.ts")).printEvent,
});
