import type { Amount } from "../amounts.ts";
import { count, plural } from "./amounts.ts";

const services = (many: Amount) => plural(many, { one: "# service", other: "# services" });
const runOnThese = (many: Amount) =>
  plural(many, {
    one: "Run an action on this service",
    other: "Run an action on these # services",
    bound: "Run an action on these services",
  });

export const rollouts = {
  start: "Start a rollout",
  onThese: runOnThese,
  title: (action: string, total: Amount) => `${action} on ${services(total)}`,

  now: {
    title: "State",
    running: (wave: number, of: number) =>
      of === 1 ? "The rollout is running." : `Wave ${wave} of ${of} is running.`,
    betweenWaves: (wave: number, next: number) =>
      `Wave ${wave} has ended. Wave ${next} begins automatically.`,
    paused: "An operator has paused the rollout. It creates no more commands until it is resumed.",
    needsApproval:
      "The rollout has paused: policies require approval for the services that are left.",
    waveEnded: (wave: number, of: number) => `Wave ${wave} of ${of} has ended.`,
    allSucceeded: (total: Amount) =>
      plural(total, {
        one: "The action succeeded on the service.",
        other: "The action succeeded on all # services.",
      }),
    over: "All waves have ended.",
    tooMany: (failed: Amount, tolerated: Amount) =>
      `The rollout has stopped: the action failed on ${services(failed)}, and the rollout tolerates ${
        tolerated === 0
          ? "no failures"
          : plural(tolerated, { one: "# failure", other: "# failures" })
      }.`,
    deadline:
      "The rollout has stopped: its deadline passed before the action had succeeded on all services.",
    awaiting: "The rollout starts when it is approved. Its list of services does not change.",
    notApproved: "The rollout was not approved, so it runs on no more services.",
    cancelled: "An operator has cancelled the rollout.",
    failed: (many: Amount) => `The action failed on ${services(many)}.`,
    notRun: (many: Amount) =>
      plural(many, {
        one: "The action was not run on # service.",
        other: "The action was not run on # services.",
      }),
    open: (many: Amount) =>
      plural(many, {
        one: "# command has not ended yet. Its result is still recorded.",
        other: "# commands have not ended yet. Their results are still recorded.",
      }),
    resume: "Resume the rollout to continue, or cancel it.",
    ask: "Resume the rollout to ask for approval, or cancel it.",
    nextWave: (wave: number) =>
      `Check the services on which the action has run. Then resume the rollout to begin wave ${wave}, or cancel it.`,
    retry: "Find the cause in the errors below and correct it. Then retry the rollout.",
    retryRest: "Retry the rollout to run the action on the services where it has not succeeded.",
    since: {
      asked: "Requested",
      created: "Started",
      paused: "Paused",
      resumed: "Resumed",
      other: "Ended",
    },
    by: (who: string) => `by ${who}`,
    nextWaveAt: "Next wave",
    deadlineAt: "Deadline",
  },

  waves: {
    title: "Waves",
    one: (wave: number) => `Wave ${wave}`,
    current: "current",
    services,
  },

  /** States of services, in a sentence: `3 succeeded, 1 failed`. */
  counts: {
    FAILED: (many: Amount) => `${count(many)} failed`,
    RUNNING: (many: Amount) => `${count(many)} running`,
    CHECKING: (many: Amount) => `${count(many)} not healthy yet`,
    NOT_RUN: (many: Amount) => `${count(many)} not run`,
    WAITING: (many: Amount) => `${count(many)} waiting`,
    SUCCEEDED: (many: Amount) => `${count(many)} succeeded`,
  },

  targets: {
    title: "Services",
    legend: "Filter by state",
    shown: (shown: Amount, total: Amount) => `${count(shown)} of ${services(total)}`,
    keys: "Use the arrow keys to move between services, and Enter to open the command, or the service if it has no command.",
    reading: (read: Amount, total: Amount) =>
      `Reading the services: ${count(read)} of ${count(total)} …`,
    none: "No services match these filters.",
    cell: (code: string, state: string, error: string | null) =>
      `${code}: ${state}${error ? `, ${error}` : ""}`,
    list: "Services, failed ones first",
    wave: "Wave",
    error: "Error",
    command: "Command",
    ended: "Ended",
    more: (many: Amount) => `Show ${count(many)} more`,
  },

  rules: {
    title: "Rules",
    selector: "Selector",
    everything: "all services",
    waves: "Waves",
    maxParallel: "Services at the same time",
    maxFailures: "Tolerated failures",
    between: "Between waves",
    betweens: { continue: "Continue", pause: "Pause" },
    wait: (time: string) => `Wait ${time}`,
    offline: "Offline agents",
    offlines: {
      skip: "Skip their services",
      wait: "Wait for them",
      fail: "Count their services as failed",
    },
    health: "Health",
    healthy: (time: string) => `HEALTHY within ${time}`,
    unchecked: "Not checked",
    condition: "Condition",
    ifUnchanged: "Only if the state is unchanged",
    by: "Started by",
    ended: "Ended",
    retryOf: "Retry of",
    approval: "Approval",
    schedule: "Schedule",
  },

  withheld: "Secrets are not shown. The server deletes them when the rollout ends.",
  cancelCommands: (open: Amount) =>
    plural(open, {
      one: "Also cancel # command in progress",
      other: "Also cancel # commands in progress",
    }),

  retry: {
    verb: "Retry",
    title: (rollout: string) => `Retry: ${rollout}`,
    what: "A new rollout starts, with the same payload and the same rules.",
    which: "Services",
    failed: (many: Amount) => `Only the ${services(many)} on which the action failed`,
    rest: (many: Amount) =>
      plural(many, {
        one: "Also the # service on which it was not run",
        other: "Also the # services on which it was not run",
      }),
    prepares:
      "This rollout runs only if states are unchanged. To prepare its services again and retry it, run:",
  },

  form: {
    title: "Start a rollout",
    lead: "A rollout runs one action on many services, in waves, and stops if too many of them fail.",
    choice: "Services",
    found: (many: Amount) => `${services(many)} that you have chosen`,
    foundHint: "Services that are reported later are not included.",
    chooseOthers: "Choose other services",
    selector: "Selector",
    selectorHint: "Labels, such as region=eu,tier in (web,api),!canary.",
    status: "Status",
    services: "Service codes",
    agents: "Agent codes",
    codesHint: "Separated by commas.",
    all: "All services",
    work: "Action",
    action: "Action",
    actionHint: "An action that the chosen services declare. Others are left out.",
    chooseFirst: "Choose an action to enter its payload.",
    name: "Name",
    nameHint: "What the rollout is for.",
    rules: "Rules",
    waves: "Waves",
    wavesHint:
      "How many services are done after each wave, as numbers or percentages, such as 1, 10%. The last wave has the rest.",
    maxParallel: "Services at the same time",
    maxFailures: "Tolerated failures",
    maxFailuresHint: "A number or a percentage, such as 5%. With more failures, the rollout stops.",
    between: "Between waves",
    betweens: { continue: "Continue", pause: "Pause until resumed", wait: "Wait" },
    waitSeconds: "Seconds to wait",
    offline: "Services whose agent is offline",
    offlines: {
      skip: "Skip them",
      wait: "Wait for their agents",
      fail: "Count them as failed",
    },
    healthGate: "Each service must be HEALTHY after its command",
    healthTimeoutSeconds: "Seconds to become HEALTHY",
    deadlineMinutes: "Deadline in minutes",
    deadlineHint:
      "If the rollout has not succeeded by then, it stops. Leave this empty for no deadline.",
    wholeNumber: "Enter a whole number.",
    fix: "Some fields have errors. Correct them first.",
    preview: "Preview",
  },

  preview: {
    title: "Preview",
    summary: (total: Amount, waves: number) =>
      waves <= 1 ? `${services(total)}.` : `${services(total)} in ${count(waves)} waves.`,
    stops: (tolerated: Amount) =>
      tolerated === 0
        ? "The rollout stops at the first failure."
        : plural(tolerated, {
            one: "The rollout stops after more than # failure.",
            other: "The rollout stops after more than # failures.",
          }),
    none: "The rollout would not run on any service. Change the choice of services, the action or the payload.",
    wave: "Wave",
    count: "Services",
    codes: "Codes",
    leftOut: (many: Amount) => `Left out (${count(many)})`,
    why: "Reason",
    onlyFirst: (shown: Amount, all: Amount) =>
      `The first ${count(shown)} of ${count(all)} are listed.`,
    start: (action: string, total: Amount) => `Run ${action} on ${services(total)}`,
  },

  confirm: {
    title: (action: string, total: Amount) => `Run ${action} on ${services(total)}?`,
    inWaves: (waves: number, first: Amount) =>
      waves <= 1
        ? "All services run in one wave."
        : `The first of ${count(waves)} waves has ${services(first)}.`,
    asks: "This action requires confirmation on at least one of the services. You may not be able to undo it.",
    word: (total: Amount) => `Type the number of services, ${count(total)}, to confirm`,
    verb: "Start rollout",
  },
};
