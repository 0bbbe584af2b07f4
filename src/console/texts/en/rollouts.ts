const counted = (many: string, one: string) => `${many} ${one}${many === "1" ? "" : "s"}`;
const these = (many: string) => (many === "1" ? "this service" : `these ${many} services`);
const services = (many: string) => counted(many, "service");

export const rollouts = {
  start: "Start a rollout",
  /** The total is null if the list does not know it. */
  ofFound: (total: string | null) =>
    total === null ? "Run an action on these services" : `Run an action on ${these(total)}`,
  ofSelected: (total: string) => `Run an action on ${these(total)}`,
  title: (action: string, total: string) => `${action} on ${services(total)}`,

  now: {
    title: "State",
    running: (wave: number, of: number) =>
      of === 1 ? "The rollout is running." : `Wave ${wave} of ${of} is running.`,
    betweenWaves: (wave: number, next: number) =>
      `Wave ${wave} has ended. Wave ${next} begins by itself.`,
    paused: "An operator has paused the rollout. It creates no more commands until it is resumed.",
    waveEnded: (wave: number, of: number) => `Wave ${wave} of ${of} has ended.`,
    allSucceeded: (total: string) =>
      total === "1" ? "The service has succeeded." : `All ${total} services have succeeded.`,
    over: "The rollout has run all its waves.",
    tooMany: (failed: string, tolerated: string) =>
      `The rollout has stopped: ${services(failed)} failed, and it tolerates ${
        tolerated === "0" ? "none" : tolerated
      }.`,
    deadline: "The rollout has stopped: its deadline passed before all services had succeeded.",
    awaiting: "The rollout begins when it is approved. Its services are fixed.",
    notApproved: "The rollout was not approved. Nothing has run.",
    cancelled: "An operator has ended the rollout.",
    failed: (many: string) => `${services(many)} failed.`,
    notRun: (many: string) => `${services(many)} ${many === "1" ? "was" : "were"} not run.`,
    open: (many: string) =>
      `${counted(many, "command")} ${many === "1" ? "has" : "have"} not ended yet. The results are still recorded.`,
    resume: "Resume it to continue, or cancel it.",
    nextWave: (wave: number) =>
      `Check the services that have run. Then resume the rollout to begin wave ${wave}, or cancel it.`,
    retry: "Find the cause in the errors below and correct it. Then retry the rollout.",
    retryRest: "Retry the rollout to run the services that did not succeed.",
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
    FAILED: (many: string) => `${many} failed`,
    RUNNING: (many: string) => `${many} running`,
    CHECKING: (many: string) => `${many} not healthy yet`,
    NOT_RUN: (many: string) => `${many} not run`,
    WAITING: (many: string) => `${many} waiting`,
    SUCCEEDED: (many: string) => `${many} succeeded`,
  },

  targets: {
    title: "Services",
    legend: "Filter by state",
    shown: (shown: string, total: string) => `${shown} of ${total} services`,
    keys: "Use the arrow keys to move between services, and Enter to open the command, or the service if it has no command.",
    reading: (read: string, total: string) => `Reading the services: ${read} of ${total} …`,
    none: "No services match these filters.",
    cell: (code: string, state: string, error: string | null) =>
      `${code}: ${state}${error ? `, ${error}` : ""}`,
    list: "Services, failed ones first",
    wave: "Wave",
    error: "Error",
    command: "Command",
    ended: "Ended",
    more: (many: string) => `Show ${many} more`,
  },

  rules: {
    title: "Rules",
    selector: "Selector",
    everything: "all services",
    waves: "Waves",
    maxParallel: "At the same time",
    maxFailures: "Tolerated failures",
    between: "Between waves",
    betweens: { continue: "Continue", pause: "Pause" },
    wait: (time: string) => `Wait ${time}`,
    offline: "Offline agents",
    offlines: {
      skip: "Do not run their services",
      wait: "Wait for them",
      fail: "Count their services as failed",
    },
    health: "Health",
    healthy: (time: string) => `HEALTHY within ${time}`,
    unchecked: "Not checked",
    condition: "Condition",
    ifUnchanged: "Only if the state is the one that was shown",
    by: "Started by",
    ended: "Ended",
    retryOf: "Retry of",
    approval: "Approval",
    schedule: "Schedule",
  },

  withheld: "Secrets are not shown. The server deletes them when the rollout ends.",
  cancelCommands: (open: string) => `Also cancel ${counted(open, "command")} in progress`,

  retry: {
    verb: "Retry",
    title: (action: string, many: string) => `Run ${action} again on ${services(many)}?`,
    what: "A new rollout starts, with the same payload and the same rules.",
    which: "Services",
    failed: (many: string) => `Only the ${services(many)} that failed`,
    rest: (many: string) =>
      `Also the ${services(many)} that ${many === "1" ? "was" : "were"} not run`,
    start: "Start rollout",
    prepares: "This rollout depends on states. To prepare its services again and retry it:",
  },

  form: {
    title: "Start a rollout",
    lead: "A rollout runs one action on many services, in waves, and stops if too many of them fail.",
    choice: "Services",
    found: (many: string) => `${services(many)} that the list found`,
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
    reason: "Reason",
    rules: "Rules",
    waves: "Waves",
    wavesHint:
      "How many services are done after each wave, as numbers or shares: 1, 10%. The last wave takes the rest.",
    maxParallel: "Services at the same time",
    maxFailures: "Tolerated failures",
    maxFailuresHint: "A number or a share, such as 5%. With more failures, the rollout stops.",
    between: "Between waves",
    betweens: { continue: "Continue", pause: "Pause until resumed", wait: "Wait" },
    waitSeconds: "Seconds to wait",
    offline: "Services whose agent is offline",
    offlines: {
      skip: "Do not run them",
      wait: "Wait for their agents",
      fail: "Count them as failed",
    },
    healthGate: "Each service must be HEALTHY after its command",
    healthTimeoutSeconds: "Seconds to become HEALTHY",
    deadlineMinutes: "Deadline in minutes",
    deadlineHint: "If the rollout has not succeeded by then, it stops. Empty for no deadline.",
    wholeNumber: "Enter a whole number.",
    fix: "Some fields are wrong. Correct them first.",
    preview: "Preview",
  },

  preview: {
    title: "Preview",
    summary: (total: string, waves: number) =>
      waves <= 1 ? `${services(total)}.` : `${services(total)} in ${waves} waves.`,
    stops: (tolerated: string) =>
      tolerated === "0"
        ? "The rollout stops at the first failure."
        : `The rollout stops after more than ${counted(tolerated, "failure")}.`,
    none: "The rollout would run on no service. Change the choice of services, the action or the payload.",
    wave: "Wave",
    count: "Services",
    codes: "Codes",
    more: (many: string) => `and ${many} more`,
    leftOut: (many: string) => `Left out (${many})`,
    why: "Reason",
    onlyFirst: (shown: string, all: string) => `The first ${shown} of ${all} are listed.`,
    start: (action: string, total: string) => `Run ${action} on ${services(total)}`,
  },

  confirm: {
    title: (action: string, total: string) => `Run ${action} on ${services(total)}?`,
    inWaves: (waves: number, first: string) =>
      waves <= 1
        ? "All services run in one wave."
        : `The first of ${waves} waves has ${services(first)}.`,
    asks: "This action requires confirmation on at least one of the services. You may not be able to undo it.",
    word: (total: string) => `Type the number of services, ${total}, to confirm`,
    verb: "Start rollout",
  },
};
