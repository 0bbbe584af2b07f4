import type { CommandSpec } from "../../command.ts";
import {
  action,
  callsApi,
  detach,
  hiddenActions,
  option,
  queue,
  requestId,
  service,
  timeout,
} from "../../options.ts";

export const actions = (): CommandSpec[] => [
  {
    name: "actions list",
    summary: "List the actions that a service declares",
    args: [service],
    options: [hiddenActions],
    ...callsApi,
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
      option("--set <key=value>", "set a field of the payload; repeatable", { kind: "repeat" }),
      option("--payload <json>", "the whole payload: JSON, @file, or - for stdin", {
        completes: "@file",
      }),
      option("--defaults", "use the prepared values instead of asking for them"),
      option("--reason <text>", "stored with the command and in the audit trail"),
      option("-y, --yes", "confirm an action that requires it"),
      queue,
      option("--wait", "wait for the result; this is the default"),
      detach,
      timeout,
      requestId,
    ],
    ...callsApi,
    examples: [
      "actions run log-collector rotate-log",
      "actions run log-collector set-level --set level=debug",
      "actions run log-collector rotate-log --set file=app.log --yes -o json",
      "actions run log-collector rotate-log --yes --request-id nightly-2026-01-31",
    ],
    run: async () => (await import("./run.ts")).runAction,
  },
];
