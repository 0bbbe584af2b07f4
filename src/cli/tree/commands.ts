// `platformctl commands …`

import { commandStatuses, commandTypes } from "../../domain/commands.ts";
import type { CommandSpec } from "../command.ts";
import { before, command, openCommand, pages, requestId, yes } from "./parts.ts";

export const commands: CommandSpec[] = [
  {
    name: "commands list",
    summary: "List commands, newest first",
    options: [
      {
        flags: "--status <status>",
        summary: "PENDING, RUNNING, SUCCEEDED, FAILED or CANCELLED; or several, with commas",
        kind: "several",
        completes: commandStatuses,
      },
      {
        flags: "--type <type>",
        summary: "ACTION_EXECUTE (default), ACTION_PREPARE, or both, with a comma",
        kind: "several",
        completes: commandTypes,
      },
      { flags: "--action <name>", summary: "of this action" },
      { flags: "--agent <agent>", summary: "of this agent", completes: "agent" },
      { flags: "--service <service>", summary: "of this service", completes: "service" },
      {
        flags: "--event <event>",
        summary: "made of this event of the bus",
        completes: "bus-event",
      },
      { flags: "--route <route>", summary: "made by this route", completes: "bus-route" },
      {
        flags: "--from <time>",
        summary: "created then or later; such as 24h (ago), or 2026-01-31",
      },
      { flags: "--to <time>", summary: "created before then" },
      ...pages,
      before,
    ],
    output: "rows",
    target: true,
    examples: ["commands list --status FAILED --from 24h", "commands list --all -o jsonl"],
    run: async () => (await import("../commands/commands.ts")).listCommands,
  },
  {
    name: "commands get",
    summary: "Show a command with its payload and result",
    args: [command],
    output: true,
    target: true,
    onlyPrints: true,
    run: async () => (await import("../commands/commands.ts")).getCommand,
  },
  {
    name: "commands wait",
    summary: "Wait until a command has ended; fails when the command failed",
    args: [openCommand],
    options: [
      { flags: "--timeout <duration>", summary: "how long to wait", kind: "duration", default: 60 },
    ],
    output: true,
    target: true,
    run: async () => (await import("../commands/commands.ts")).waitForCommand,
  },
  {
    name: "commands cancel",
    summary: "Cancel a command that has not ended",
    args: [openCommand],
    output: true,
    target: true,
    run: async () => (await import("../commands/commands.ts")).cancelCommand,
  },
  {
    name: "commands retry",
    summary: "Run a command that failed or was cancelled again, as a new one",
    args: [command],
    options: [
      {
        flags: "--set <key=value>",
        summary: "a secret of the payload, deleted when the command ended; repeatable",
        kind: "repeat",
      },
      yes,
      { flags: "--queue", summary: "also for an agent that is offline" },
      { flags: "--detach", summary: "do not wait for the result" },
      { flags: "--timeout <duration>", summary: "how long to wait", kind: "duration", default: 60 },
      requestId,
    ],
    output: true,
    target: true,
    examples: [
      "commands retry cmd_01K0EJ3A6V9FJ7PC0Y7K2P4W6R --yes",
      "commands retry cmd_01K0EJ3A6V9FJ7PC0Y7K2P4W6R --set login.password=hunter2",
    ],
    run: async () => (await import("../commands/command-retries.ts")).retryCommand,
  },
];
