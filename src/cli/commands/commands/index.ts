import type { CommandSpec } from "../../command.ts";
import { commandsOf } from "../../nouns/commands.ts";
import {
  argumentFor,
  breakGlass,
  detach,
  option,
  printsAction,
  queue,
  requestId,
  runTimeout,
  timeout,
  waitForApproval,
  yes,
} from "../../options.ts";

const command = argumentFor("commands");
const openCommand = { ...command, completes: "open-command" } as const;

/** The common part of the commands that show the output of a command. */
export const printsLogs = {
  options: [
    option("-f, --follow", "continue until the command or rollout has ended; fails if it failed"),
    option("--timestamps", "begin each line with its time and stream"),
    option("-o, --output <format>", "output format", {
      choices: ["text", "json", "jsonl"],
      default: "text",
    }),
  ],
  destination: true,
  onlyPrints: true,
} as const satisfies Partial<CommandSpec>;

const own: CommandSpec[] = [
  {
    name: "commands get",
    summary: "Show a command with its payload and result",
    args: [command],
    ...printsAction,
    onlyPrints: true,
    run: async () => (await import("./get.ts")).getCommand,
  },
  {
    name: "commands wait",
    summary: "Wait until a command has finished, and fail if the command failed",
    args: [openCommand],
    options: [timeout],
    ...printsAction,
    run: async () => (await import("./wait.ts")).waitForCommand,
  },
  {
    name: "commands logs",
    summary: "Show the output of a command, even while the command runs",
    args: [command],
    ...printsLogs,
    examples: [
      "commands logs cmd_01K0EJ3A6V9FJ7PC0Y7K2P4W6R",
      "commands logs cmd_01K0EJ3A6V9FJ7PC0Y7K2P4W6R -f --timestamps",
    ],
    run: async () => (await import("./logs.ts")).showLogs,
  },
  {
    name: "commands retry",
    summary: "Repeat a failed or cancelled command as a new command",
    args: [command],
    options: [
      option(
        "--set <key=value>",
        "a secret of the payload, which was deleted when the command finished; repeatable",
        { kind: "repeat" },
      ),
      option("--secrets <json>", "secrets by JSON Pointer: JSON, @file, or - for stdin", {
        completes: "@file",
      }),
      yes,
      queue,
      waitForApproval,
      detach,
      breakGlass,
      runTimeout,
      requestId,
    ],
    ...printsAction,
    examples: [
      "commands retry cmd_01K0EJ3A6V9FJ7PC0Y7K2P4W6R --yes",
      "commands retry cmd_01K0EJ3A6V9FJ7PC0Y7K2P4W6R --secrets @secrets.json",
    ],
    run: async () => (await import("./retry.ts")).retryCommand,
  },
];

export const commands = (): CommandSpec[] =>
  commandsOf("commands", {
    own,
    print: async () => (await import("./show.ts")).printCommand,
  });
