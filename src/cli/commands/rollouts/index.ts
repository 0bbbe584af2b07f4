import { effectiveStatuses } from "../../../domain/fleet/services.ts";
import { offlineRules, targetStates } from "../../../domain/rollouts/rollouts.ts";
import type { CommandSpec, OptionSpec } from "../../command.ts";
import { commandsOf } from "../../nouns/commands.ts";
import {
  argumentFor,
  before,
  breakGlass,
  callsApi,
  dayTimeout,
  option,
  pages,
  payload,
  requestId,
  service,
  yes,
} from "../../options.ts";
import { printsLogs } from "../commands/index.ts";

const rollout = argumentFor("rollouts");

/** For commands that create a rollout. */
const starting: OptionSpec[] = [
  option("--dry-run", "show the services wave by wave, and change nothing"),
  option("--wait", "wait for approval and for the end; exits with 7 if a service failed"),
  dayTimeout,
  breakGlass,
  yes,
  requestId,
];

const targetFilters: OptionSpec[] = [
  option("--state <state>", "only services in one of these states", {
    kind: "several",
    completes: targetStates,
  }),
  option("--wave <number>", "only this wave", { kind: "integer" }),
];

const own: CommandSpec[] = [
  {
    name: "rollouts start",
    summary: "Run an action on many services, in waves",
    args: [{ name: "<action-name>", summary: "an action that the services declare" }],
    options: [
      option("-l, --selector <selector>", "services whose labels match; '' chooses all"),
      option("--service <service>", "the services with these codes; repeatable", {
        kind: "several",
        completes: "services",
      }),
      option("--agent <agent>", "all services of the agents with these codes; repeatable", {
        kind: "several",
        completes: "agents",
      }),
      option("--status <status>", "only services with one of these statuses", {
        kind: "several",
        completes: effectiveStatuses,
      }),
      ...payload,
      option("--payloads <json>", "payloads by service code: JSON, @file, or - for stdin", {
        completes: "@file",
      }),
      option("--waves <counts>", "how many services are done after each wave, such as 1,10%", {
        kind: "several",
      }),
      option(
        "--canary <selector>",
        "the chosen services whose labels match are the first wave, and --waves divides the " +
          "others; fails if none matches, and has no effect if all match",
      ),
      option("--parallel <count>", "how many services the action runs on at the same time", {
        kind: "integer",
        default: 10,
      }),
      option(
        "--max-failures <count>",
        "stop after more failures than this, such as 3 or 10% (rounded down)",
        { default: "0" },
      ),
      option("--between <rule>", "after a wave: continue, pause, or a time such as 60s", {
        default: "continue",
      }),
      option(
        "--offline <rule>",
        "what to do with services whose agent is offline: skip, wait or fail",
        {
          choices: [...offlineRules],
          default: "skip",
        },
      ),
      option("--health-gate", "each service must be HEALTHY after its command"),
      option("--health-timeout <duration>", "the maximum time for a service to become HEALTHY", {
        kind: "duration",
        default: 180,
      }),
      option(
        "--if-unchanged",
        "prepare the action on each service, and run it only if the state has not changed since",
      ),
      option("--deadline <duration>", "fail if the rollout has not succeeded within this time", {
        kind: "duration",
      }),
      option("--name <text>", "what the rollout is for"),
      option("--reason <text>", "stored with the commands and in the audit trail"),
      ...starting,
    ],
    ...callsApi,
    examples: [
      "rollouts start restart -l tier=web --waves 1,10% --dry-run",
      "rollouts start restart -l 'region=eu,!canary' --waves 5,50% --max-failures 10% --wait --yes",
      "rollouts start restart -l tier=web --canary canary=true --waves 10% --between pause",
      "rollouts start rotate-log -l tier=web --if-unchanged",
    ],
    run: async () => (await import("./start.ts")).startRollout,
  },
  {
    name: "rollouts targets",
    summary: "List the services of a rollout, in the order of the rollout",
    args: [rollout],
    options: [...targetFilters, ...pages],
    output: "rows",
    csv: "rollouts.targets",
    destination: true,
    examples: ["rollouts targets rol_01K --state FAILED"],
    run: async () => (await import("./targets.ts")).listTargets,
  },
  {
    name: "rollouts results",
    summary: "List the result of each service of a rollout, with the action's output",
    args: [rollout],
    options: [...targetFilters, ...pages, before],
    output: "rows",
    csv: "rollouts.results",
    destination: true,
    examples: [
      "rollouts results rol_01K --all",
      "rollouts results rol_01K --columns service,output",
      "rollouts results rol_01K --all -o csv",
    ],
    run: async () => (await import("./results.ts")).listResults,
  },
  {
    name: "rollouts logs",
    summary:
      "Show the output of a rollout, for all services or for one, even while the rollout runs",
    args: [rollout, { ...service, name: "[service]" }],
    ...printsLogs,
    examples: ["rollouts logs rol_01K", "rollouts logs rol_01K -f", "rollouts logs rol_01K web-3"],
    run: async () => (await import("./logs.ts")).showRolloutLogs,
  },
  {
    name: "rollouts watch",
    summary: "Follow a rollout until it ends; exits with 7 if it did not succeed",
    args: [rollout],
    options: [dayTimeout],
    ...callsApi,
    onlyPrints: true,
    run: async () => (await import("./watch.ts")).watchRollout,
  },
  {
    name: "rollouts cancel",
    summary: "End a rollout: it creates no more commands",
    args: [rollout],
    options: [option("--commands", "also cancel the commands that have not ended"), yes],
    ...callsApi,
    run: async () => (await import("./cancel.ts")).cancelRollout,
  },
  {
    name: "rollouts retry",
    summary:
      "Run the action again on the services that failed, as a new rollout with the same waves and pauses",
    args: [rollout],
    options: [
      option("--rest", "also run the action on the services where it was not run"),
      option("--set <key=value>", "a secret of the payload; repeatable", { kind: "repeat" }),
      option("--secrets <json>", "secrets by service code: JSON, @file, or - for stdin", {
        completes: "@file",
      }),
      ...starting,
    ],
    ...callsApi,
    examples: ["rollouts retry rol_01K --rest --dry-run"],
    run: async () => (await import("./retry.ts")).retryRollout,
  },
];

export const rollouts = (): CommandSpec[] =>
  commandsOf("rollouts", { own, print: async () => (await import("./show.ts")).showRollout });
