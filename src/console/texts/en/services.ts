import type { Amount } from "../amounts.ts";
import { count, plural } from "./amounts.ts";

export const services = {
  toAgents: "View agents",
  lastReport: "Last report",

  tabsLabel: "About this service",
  tabs: {
    overview: "Overview",
    health: "Health",
    configs: "Configuration",
    actions: "Actions",
    commands: "Commands",
    audit: "Audit",
  },
  counted: (text: string, many: Amount) => `${text} (${count(many)})`,

  effective: "Effective status",
  why: {
    disabled: "The service's agent is disabled.",
    noToken: "The token of the service's agent was revoked. The agent must register again.",
    stopped: "The service's agent reported that it was stopping.",
    silent: (after: string) => `The service's agent has not called for more than ${after}.`,
    agentSilent: (after: string) =>
      `The last report may be out of date. The service's agent has not called for more than ${after}.`,
    stale: (afterCall: string, afterReport: string) =>
      `The last report may be out of date. The service's agent has not called for more than ${afterCall}, or has not reported this service for more than ${afterReport}.`,
    UNKNOWN: "The agent reports no health, or a value that the server does not know.",
    UNHEALTHY: "The agent reports that the service is unhealthy.",
    HEALTHY: "The agent reports that the service is healthy.",
  },
  statusSince: "since {time}",
  justNow: "just now",
  storedIs: (status: string) =>
    `The history still shows ${status}. The next maintenance sweep records the change.`,
  lastCommand: {
    title: "Last command",
    took: (duration: string) => `, took ${duration}`,
  },
  history: {
    title: "History",
    day: "Last 24 hours",
    month: (days: Amount) => plural(days, { one: "Last day", other: "Last # days" }),
    utc: "Days are in UTC.",
    today: "today",
    uptime: "Uptime",
    uptimeOf: (share: string) => `Uptime ${share}`,
    noUptime: "No uptime recorded",
    changes: (many: Amount) =>
      many === 0 ? "No changes" : plural(many, { one: "# change", other: "# changes" }),
    strip: (title: string, summary: string) => `${title}: ${summary}`,
    noData: "no data",
    showChanges: "Show changes",
    showDays: "Show days",
    changesLabel: "Status changes, newest first",
    daysLabel: "Uptime by day",
    dayColumn: "Day",
    otherwise: "Not healthy",
    first: "first report",
    noChanges: "The status has not changed in the last 24 hours.",
    newest: (shown: Amount, total: Amount) =>
      `The newest ${count(shown)} of ${count(total)} changes.`,
  },
  about: "About",
  claims: "Also reported by",
  claimsMeaning:
    "These agents report the service as well. The server refuses their reports of it while the service's own agent is online. The usual cause is a configuration that was copied to another host.",
  alsoReports: "{agent} first reported this service {time}",
  move: {
    verb: "Move",
    open: "Move to another agent",
    title: (code: string) => `Move ${code} to another agent`,
    agentHint:
      "The new agent must be online. The server then accepts the new agent's reports of the service and refuses those of the current agent. Existing commands stay with the current agent.",
    choose: "Choose an agent",
    claims: (code: string) => `${code} (already reports this service)`,
    done: (code: string, agent: string) => `${code} now belongs to ${agent}.`,
    more: (many: Amount) => `Only the newest ${count(many)} online agents are listed here.`,
  },
  firstReported: "First reported",
  changed: "Last changed",
  manifest: "Manifest",

  reported: "Reported",
  nothingReported: "nothing",
  since: "Since",
  healthDetails: "Health details",
  transitions: "Health changes",
  transitionsLabel: "Changes of reported health, newest first",
  noTransitions: "No health changes in the audit trail.",
  moreTransitions: (total: Amount) =>
    plural(total, {
      one: "# change in the audit trail",
      other: "All # changes in the audit trail",
      bound: "All changes (#) in the audit trail",
    }),
  to: "to",

  configs: {
    empty: "The agent reports no configuration for this service.",
    key: "Key",
    value: "Value",
    byDefault: "Default",
    source: "Source",
    secretRef: "Stored in",
    marks: "Attributes",
    sensitive: "sensitive",
    editable: "editable",
    hidden: "never shown",
    hiddenWhy:
      "The server does not store the values of sensitive entries, even if an agent sends them.",
  },

  actions: {
    empty: "The agent declares no actions for this service.",
    find: "Find an action",
    noneFound: "No actions match.",
    confirmed: "requires confirmation",
    timeout: (seconds: number) => `timeout ${seconds} s`,
    run: "Run",
    all: (many: Amount) => `All actions (${count(many)})`,
    other: "Other",
    forOperators: "You can view these actions. Operators and owners can run them.",
    agentAway:
      "The service's agent is offline. The server refuses to run an action unless you queue it. A queued command fails if the agent is not back before it expires.",
    agentDisabled:
      "The service's agent is disabled. The server refuses to run an action unless you queue it.",
    agentWithoutToken:
      "The token of the service's agent was revoked. The server refuses to run an action unless you queue it.",
  },
};
