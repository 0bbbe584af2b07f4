import type { Cause } from "../../../domain/attention.ts";
import type { Amount } from "../amounts.ts";
import { count, plural } from "./amounts.ts";

const services = (many: Amount) => plural(many, { one: "# service", other: "# services" });
const agents = (many: Amount) => plural(many, { one: "# agent", other: "# agents" });

export const attention = {
  title: "Needs attention",
  well: (healthy: string) => `All is well: ${healthy}.`,
  nothingNew: (healthy: string) => `No new problems: ${healthy}.`,
  healthy: (many: Amount) =>
    plural(many, { one: "# service is healthy", other: "# services are healthy" }),
  unknown: (many: Amount) =>
    plural(many, { one: "# does not report its health", other: "# do not report their health" }),
  causes: {
    HEALTH: "Reported without a message",
    CHANGES: "The health keeps changing",
    NOT_REPORTED: "The agent is online, but has stopped reporting these services",
    AGENT_SILENT: "The agent has stopped calling the server",
    AGENT_STOPPED: "The agent was stopped",
    AGENT_WITHOUT_TOKEN: "The agent has no valid token",
    AGENT_DISABLED: "The agent is disabled",
  } satisfies Record<Cause, string>,
  withoutMessage: (status: string) => `${status}, without a message`,
  services,
  onAgents: (ofServices: Amount, ofAgents: Amount) =>
    `${services(ofServices)} on ${agents(ofAgents)}`,
  since: "since {time}",
  lastSince: "the last one since {time}",
  labels: "Labels",
  ofAll: (some: Amount, all: Amount) => `${count(some)} of ${count(all)} with {label}`,
  byAgent: "Agents",
  more: (many: Amount) => `and ${count(many)} more`,
  on: "on {agent}",
  changes: (many: Amount) =>
    plural(many, {
      one: "changed once in 15 minutes",
      other: "changed # times in 15 minutes",
    }),
  reported: (status: string) => `now ${status}`,
  failed: "last failure: {command} {code} {time}",
  showAll: (many: Amount) => `Show all ${services(many)}`,
  showFewer: "Show fewer",
  open: "Open",
  openOf: (name: string) => `Open ${name}`,
  run: "Run an action …",
  runOn: (name: string) => `Run an action on ${name}`,
  moreGroups: (groups: Amount, ofServices: Amount) =>
    `${plural(groups, {
      one: "There is # more reason",
      other: "There are # more reasons",
    })}, with ${services(ofServices)}. The list of services shows all of them.`,
  truncated: "There are too many services to show. The counts are incomplete.",
  showGroups: (many: Amount) =>
    plural(many, { one: "Show # more reason", other: "Show # more reasons" }),
  handled: (many: Amount) => `${services(many)} acknowledged or silenced`,
  acknowledge: {
    verb: "Acknowledge",
    open: "Acknowledge …",
    of: (name: string) => `Acknowledge ${name}`,
    what: (name: string) =>
      `Everyone will see that you know about ${name}. This ends when a service recovers or its problem changes.`,
    done: (many: Amount) => `${services(many)} acknowledged.`,
    by: "Acknowledged by {who}, {time}",
    end: "End acknowledgement",
  },
  silence: {
    verb: "Silence",
    open: "Silence …",
    of: (name: string) => `Silence ${name}`,
    what: (name: string) =>
      `Until the time is over, problems of ${name}, including new ones, are collapsed for everyone.`,
    forHowLong: "Duration",
    times: { 900: "15 minutes", 3600: "1 hour", 28800: "8 hours", 86400: "24 hours" },
    done: (many: Amount) => `${services(many)} silenced.`,
    by: "Silenced by {who}, {time}",
    until: "until {time}",
    end: "End silence",
  },
  ended: (many: Amount) => `${services(many)} no longer acknowledged or silenced.`,
  somebody: "someone",
  note: "Note",
  noteHint: "For other operators: what you know, or what you are doing.",
};
