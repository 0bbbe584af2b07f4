import type { CommandSpec } from "../../command.ts";
import {
  action,
  breakGlass,
  callsApi,
  detach,
  fileOption,
  hiddenActions,
  option,
  payload,
  printsAction,
  queue,
  requestId,
  runTimeout,
  service,
  timeout,
  waitForApproval,
} from "../../options.ts";

const values = [
  ...payload,
  option("--defaults", "use the agent's suggested values instead of asking for them"),
  option("--reason <text>", "stored with the command and in the audit trail"),
];
const confirm = option("-y, --yes", "confirm an action that requires it");

export const actions = (): CommandSpec[] => [
  {
    name: "actions list",
    summary: "List the actions that a service declares",
    args: [service],
    options: [hiddenActions],
    output: "rows",
    destination: true,
    examples: ["actions list log-collector", "actions list log-collector -o name"],
    run: async () => (await import("./list.ts")).listActions,
  },
  {
    name: "actions prepare",
    summary: "Ask the agent for an action's form and current state",
    args: [service, action],
    ...callsApi,
    examples: ["actions prepare log-collector rotate-log"],
    run: async () => (await import("./run.ts")).prepare,
  },
  {
    name: "actions run",
    summary: "Run an action and wait for its result",
    args: [service, action],
    options: [
      ...values,
      confirm,
      option(
        "--if-unchanged",
        "run the action only if the state has not changed since the agent prepared it",
      ),
      option("--no-if-unchanged", "run the action in any state, even if the danger level is HIGH"),
      queue,
      option(
        "--wait",
        "wait for the result (the default), and also for approval if a policy requires it",
      ),
      detach,
      breakGlass,
      runTimeout,
      requestId,
    ],
    ...printsAction,
    examples: [
      "actions run log-collector rotate-log",
      "actions run log-collector set-level --set level=debug",
      "actions run log-collector rotate-log --set file=app.log --yes -o json",
      "actions run edge-7-host disk-usage -o output",
      "actions run log-collector rotate-log --yes --request-id nightly-2026-01-31",
      "actions run log-collector rotate-log --yes --if-unchanged",
      "actions run log-collector rotate-log --yes --wait --timeout 8h",
    ],
    run: async () => (await import("./run.ts")).runAction,
  },
  {
    name: "actions plan",
    summary: "Show what would run, without running it; with --out, also write a plan for later",
    args: [service, action],
    options: [
      ...values,
      fileOption("--out <file>", "write the plan to this file, readable only by you"),
      option("--force", "replace an existing file"),
      timeout,
    ],
    ...callsApi,
    examples: [
      "actions plan log-collector rotate-log --set file=app.log --out rotate.plan",
      "actions plan log-collector rotate-log --defaults",
    ],
    run: async () => (await import("./plan.ts")).planAction,
  },
  {
    name: "actions apply",
    summary: "Run exactly what a plan says, if the state is unchanged",
    args: [{ name: "<plan>", summary: "file of the plan, or - for stdin", completes: "file" }],
    options: [confirm, queue, waitForApproval, detach, breakGlass, runTimeout, requestId],
    ...printsAction,
    examples: ["actions apply rotate.plan", "actions apply rotate.plan --yes -o json"],
    run: async () => (await import("./plan.ts")).applyPlan,
  },
];
