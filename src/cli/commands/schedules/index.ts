import { missedRules, overlapRules, runStates } from "../../../domain/schedules/schedules.ts";
import type { CommandFunction, CommandSpec, OptionSpec } from "../../command.ts";
import { commandsOf } from "../../nouns/commands.ts";
import {
  argumentFor,
  breakGlass,
  callsApi,
  dayTimeout,
  fileOption,
  option,
  pages,
  payload,
  requestId,
  waitForApproval,
  yes,
} from "../../options.ts";

const schedule = argumentFor("schedules");

const file = fileOption("-f, --file <file>", "the schedule in YAML or JSON; - for standard input");

const timing: OptionSpec[] = [
  option("--cron <fields>", "minute, hour, day, month and weekday: '0 3 * * 0'"),
  option("--every <duration>", "the time between two runs, instead of --cron", {
    kind: "duration",
  }),
  option("--timezone <zone>", "the time zone of --cron, such as Europe/Berlin; UTC by default", {
    completes: "timezone",
  }),
  option("--until <time>", "no run is due after this time; 'never' removes the end"),
];

const fields: OptionSpec[] = [
  file,
  ...timing,
  option("--service <service>", "the service to run the action on", { completes: "services" }),
  option("--action <action>", "the action to run", { completes: "action" }),
  ...payload,
  option("--reason <text>", "stored with the commands and in the audit trail"),
  option(
    "--missed <rule>",
    "what to do about runs that were due while no server was running: skip them, or start " +
      "one run for all of them (once)",
    {
      choices: [...missedRules],
    },
  ),
  option(
    "--overlap <rule>",
    "what to do if a run is due before the previous one has ended: skip it, or wait",
    {
      choices: [...overlapRules],
    },
  ),
  option("--description <text>", "a description for people"),
];

const saving: OptionSpec[] = [
  waitForApproval,
  option("--timeout <duration>", "how long to wait (default: until the request expires)", {
    kind: "duration",
  }),
  breakGlass,
  yes,
];

const several = { ...schedule, name: "[schedule...]" };

const own: CommandSpec[] = [
  {
    name: "schedules create",
    summary: "Create a schedule, after showing when it would be due",
    args: [{ name: "[name]", summary: "the name; it can be in the file instead" }],
    options: [...fields, option("--paused", "create the schedule paused"), ...saving, requestId],
    ...callsApi,
    examples: [
      "schedules create nightly-restart --cron '0 3 * * *' --timezone Europe/Berlin --service web-1 --action restart",
      "schedules create health --every 6h --service web-1 --action check --missed once --yes",
      "schedules create -f rollout-on-sundays.yaml",
    ],
    run: async () => (await import("./save.ts")).createSchedule,
  },
  {
    name: "schedules update",
    summary: "Change the fields that the flags name, or replace a schedule with the one in a file",
    args: [schedule],
    options: [option("--name <text>", "the new name"), ...fields, ...saving],
    ...callsApi,
    examples: [
      "schedules update nightly-restart --cron '30 3 * * *'",
      "schedules update nightly-restart -f schedule.yaml --yes",
    ],
    run: async () => (await import("./save.ts")).updateSchedule,
  },
  {
    name: "schedules edit",
    summary: "Edit a schedule in VISUAL or EDITOR",
    args: [schedule],
    ...callsApi,
    examples: ["schedules edit nightly-restart"],
    run: async () => (await import("./save.ts")).editSchedule,
  },
  {
    name: "schedules preview",
    summary: "Show when a schedule would be due, without saving anything",
    args: [
      { ...schedule, name: "[schedule]", summary: "id or name; omit it to use flags or a file" },
    ],
    options: [
      file,
      ...timing,
      option("--count <number>", "how many due times to show, 1 to 20", {
        kind: "integer",
        default: 5,
      }),
    ],
    ...callsApi,
    onlyPrints: true,
    examples: [
      "schedules preview --cron '30 2 * * 0' --timezone Europe/Berlin --count 10",
      "schedules preview nightly-restart",
    ],
    run: async () => (await import("./preview.ts")).previewSchedule,
  },
  {
    name: "schedules run",
    summary: "Run a schedule now, even if it is paused",
    args: [schedule],
    options: [
      option("--wait", "wait for the end; exits with 1 if the run failed or was skipped"),
      dayTimeout,
      breakGlass,
      yes,
      requestId,
    ],
    ...callsApi,
    examples: ["schedules run nightly-restart --wait --yes"],
    run: async () => (await import("./run.ts")).runSchedule,
  },
  {
    name: "schedules runs",
    summary: "List the runs of a schedule, newest first",
    args: [schedule],
    options: [
      option("--state <state>", "only runs in one of these states", {
        kind: "several",
        completes: runStates,
      }),
      ...pages,
    ],
    output: "rows",
    csv: "schedules.runs",
    destination: true,
    examples: ["schedules runs nightly-restart --state FAILED,SKIPPED"],
    run: async () => (await import("./runs.ts")).listRuns,
  },
  {
    name: "schedules pause",
    summary: "Pause some schedules, or all schedules together, until you resume them",
    args: [several],
    options: [
      option("--all", "pause all schedules, for example during maintenance"),
      option("--reason <text>", "with --all: the reason, which is shown to everybody"),
    ],
    ...callsApi,
    examples: [
      "schedules pause nightly-restart",
      "schedules pause --all --reason 'Move to the new data centre'",
    ],
    run: async () => (await import("./pausing.ts")).pauseSchedules,
  },
  {
    name: "schedules resume",
    summary: "Resume paused schedules, or end the pause of all schedules",
    args: [several],
    options: [option("--all", "end the pause of all schedules"), breakGlass],
    ...callsApi,
    examples: ["schedules resume nightly-restart", "schedules resume --all"],
    run: async () => (await import("./pausing.ts")).resumeSchedules,
  },
];

async function listAll(listed: () => Promise<CommandFunction>): Promise<CommandFunction> {
  return async (invocation) => {
    const { listWithPause } = await import("./pausing.ts");
    return listWithPause(await listed(), invocation);
  };
}

export const schedules = (): CommandSpec[] =>
  commandsOf("schedules", {
    own,
    list: { run: listAll, examples: ["schedules list --state ENABLED"] },
    print: async () => (await import("./saved-schedule.ts")).printSchedule,
  });
