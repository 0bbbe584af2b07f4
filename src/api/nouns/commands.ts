import type { commands as routes } from "../commands.ts";
import type { NounTexts } from "../contract/noun.ts";

const types = { ACTION_PREPARE: "Prepare", ACTION_EXECUTE: "Run" };

export const commands = {
  one: "command",
  summary: "Commands for agents, and their results",
  lead: "Every action that was run, who ran it, and how it ended. Requests for an action's form and state have the type Prepare.",
  about: { cell: "commandSummary" },
  opens: "action",
  columns: [
    { name: "id", of: "id", kind: "key", wide: "page" },
    { name: "status", of: "status", kind: "state" },
    { name: "service", of: "serviceCode", kind: "key", link: { to: "services", id: "serviceId" } },
    { name: "action", of: "action" },
    { name: "created", of: "createdAt", kind: "time" },
    { name: "took", of: { cell: "commandDuration" }, kind: "number", label: "Duration" },
    { name: "error", of: "errorCode", kind: "cause" },
    { name: "message", of: "errorMessage", wide: "page" },
    // Never truncated, because truncated types look alike.
    { name: "type", of: "type", kind: "key", values: types, wide: true },
    { name: "agent", of: "agentCode", wide: true, link: { to: "agents", id: "agentId" } },
    { name: "by", of: { cell: "commandMaker" }, wide: "terminal", label: "Created by" },
    { name: "event", of: "source.eventId", kind: "key", wide: true, link: { to: "bus-events" } },
    { name: "route", of: "source.routeId", kind: "key", wide: true, link: { to: "bus-routes" } },
    { name: "rollout", of: "source.rolloutId", kind: "key", wide: true, link: { to: "rollouts" } },
    {
      name: "schedule",
      of: "source.scheduleId",
      kind: "key",
      wide: true,
      link: { to: "schedules" },
    },
    { name: "reason", of: "reason", wide: true },
    { name: "cancelled", of: "cancelOutcome", wide: true },
    { name: "deliveries", of: "deliveries", kind: "number", wide: true },
    { name: "retry of", of: "retryOf", kind: "key", wide: true, link: { to: "commands" } },
    { name: "if state", of: "expectedState", kind: "key", wide: true },
  ],
  facts: ["service", "created", "error"],
  empty: "No commands. Run an action: platformctl actions run SERVICE ACTION",
  emptyPage: "No action has been run yet. Open a service and choose one of its actions.",
  filters: {
    type: {
      options: {
        "": types.ACTION_EXECUTE,
        ACTION_PREPARE: types.ACTION_PREPARE,
        "ACTION_EXECUTE,ACTION_PREPARE": "Both",
      },
      all: "ACTION_EXECUTE,ACTION_PREPARE",
    },
    action: { hint: "Its name" },
  },
  acts: {
    cancel: {
      completes: "open-command",
      verb: "Cancel command",
      keep: "Keep command",
      happens: {
        PENDING: ["The agent has not fetched the command yet. Once cancelled, it never runs."],
        RUNNING: [
          "The agent is running the command, and may still finish it. A result that arrives after the cancellation is kept as a late result and does not change the command's status.",
        ],
      },
      done: "The command is cancelled.",
      when: { status: ["PENDING", "RUNNING"] },
      danger: true,
    },
  },
  examples: {
    list: ["commands list --status FAILED --from 24h", "commands list --all -o jsonl"],
  },
} as const satisfies NounTexts<typeof routes, "commands">;
