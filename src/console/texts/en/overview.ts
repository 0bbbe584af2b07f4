import type { Amount } from "../amounts.ts";
import { count, plural } from "./amounts.ts";

export const overview = {
  title: "Overview",
  counts: {
    agents: "Agents",
    services: "Services",
    commands: "Open commands",
    tokens: "Registration tokens",
  },
  begin: {
    title: "Get started",
    text: "No agent has registered yet. An agent runs next to your services, reports their health and runs their actions.",
    steps: [
      "Create a registration token, which lets one agent register.",
      "Start an agent with the token where your services run. The console shows the commands with the new token.",
      "The agent's services appear here.",
    ],
    viewer: "Ask an operator or an owner to create a registration token.",
  },
  map: {
    title: "Health map",
    legend: "Filter by status",
    find: "Find a service",
    findHint: "Service or agent code",
    problemsFirst: "Problems first",
    keys: "Use the arrow keys to move between services, and Enter to open one.",
    cell: (code: string, name: string, status: string, message?: string) =>
      `${code}, ${name}: ${status}${message ? `, ${message}` : ""}`,
    shown: (shown: Amount, total: Amount) =>
      `${count(shown)} of ${plural(total, { one: "# service", other: "# services" })}`,
    truncated: (shown: Amount, total: Amount) =>
      `There are ${count(total)} services. The map shows the ${count(shown)} that need the most attention.`,
    noServices: "No agent has reported a service yet.",
    none: "No services match these filters.",
  },
  commands: {
    title: "Commands over time",
    window: "Time range",
    windows: { 1: "1 hour", 6: "6 hours", 24: "24 hours", 168: "7 days" },
    succeeded: "Succeeded",
    failed: "Failed",
    cancelled: "Cancelled",
    failures: "Failed commands",
    otherOutcomes: "Succeeded and cancelled commands",
    durations: "Duration",
    p50: "p50",
    p95: "p95",
    none: "No commands ended in this time range.",
    asTable: "Show table",
    asPlot: "Show plots",
    summary: (succeeded: Amount, failed: Amount, cancelled: Amount) =>
      `${count(succeeded)} succeeded, ${count(failed)} failed, ${count(cancelled)} cancelled`,
    plot: (what: string, window: string, summary: string) =>
      `${what} in the last ${window}: ${summary}. The table has the numbers.`,
    covered: (from: string) =>
      `There are too many commands to count. The numbers are complete only from ${from}.`,
  },
  failures: {
    title: "Recent failures",
    all: "View all",
    none: "No commands have failed.",
  },
  notices: {
    decide: (many: Amount) =>
      plural(many, {
        one: "# request is waiting for your decision",
        other: "# requests are waiting for your decision",
      }),
    pending: (many: Amount) =>
      plural(many, {
        one: "# request is waiting for approval",
        other: "# requests are waiting for approval",
      }),
    more: (many: Amount) => `and ${count(many)} more`,
    inbox: "Open the inbox",
    bypassed: (many: Amount) =>
      plural(many, {
        one: "# approval was bypassed in the last 7 days",
        other: "# approvals were bypassed in the last 7 days",
      }),
    by: "by {who}, {time}",
    duplicated: (many: Amount) =>
      plural(many, {
        one: "# agent runs twice",
        other: "# agents run twice",
      }),
    duplicatedHelp:
      "Two programs use one token, as after a host was cloned. Stop one of them, or remove its state folder and " +
      "register it with a code of its own.",
  },
  dataLoss: {
    banner: "Confirmed changes are gone.",
    since:
      "The server on {host} noticed {time} that the database was set back, as by a failover to a replica that lagged.",
    held: "Schedules and rollouts start nothing, because they may have done it before.",
    askOwner: "An owner has to accept this.",
    verb: "Accept the loss",
    title: "Accept that changes are gone?",
    what: "Commands, results and revocations of the lost time are gone. Check what ran, revoke again what was revoked, and then let schedules and rollouts continue. They may do again what they did then.",
    done: "Schedules and rollouts continue.",
  },
  feed: {
    title: "Live feed",
    pause: "Pause",
    resume: "Resume",
    waiting: (many: Amount) => `${count(many)} new since you paused`,
    all: "View audit trail",
    problems: "Problems",
    others: "Everything else",
  },
};
