// Pages of services.

export const services = {
  title: "Services",
  lead: "What your agents look after, as they report it.",
  empty: "No service has been reported yet. Agents report theirs when they have registered.",
  toAgents: "Go to the agents",
  searchHint: "Code or name",
  noneOfThisCode: "There is no such service.",
  ofAgent: (service: string, agent: string) => `${service} (${agent})`,
  health: "Reported health",
  healthHint: "UP, DOWN …",
  healthSince: "Health since",
  lastReport: "Last report",
  stored: "Stored status",

  tabsLabel: "About this service",
  tabs: {
    overview: "Overview",
    health: "Health",
    configs: "Configuration",
    actions: "Actions",
    commands: "Commands",
    audit: "Audit",
  },
  counted: (text: string, count: number) => `${text} (${count})`,

  remove: {
    verb: "Delete",
    title: (code: string) => `Delete ${code}?`,
    happens: [
      "The service is deleted, with its configuration and its actions.",
      "Its commands, its bus events and the audit trail stay, with its code in them. Commands go when their retention is over.",
      "If an agent reports it again it comes back, as a new service. Until then routes that name it fail.",
    ],
    done: (code: string) => `${code} is deleted.`,
  },

  statusTitle: "Status",
  effective: "Effective status",
  why: {
    disabled: "Its agent is disabled.",
    noToken: "The token of its agent was revoked: the agent must register again.",
    silent:
      "Its agent has not been heard of for a long time (15 minutes unless the server was told otherwise).",
    stale:
      "There is no recent news: its agent has not called (for 90 s), or has not reported this service (for 120 s; unless the server was told otherwise). What was reported last may not be true any more.",
    UNKNOWN: "Its agent reports no health, or a word that the server does not know.",
    UNHEALTHY: "Its agent reports that it is not well.",
    HEALTHY: "Its agent reports that it is well.",
  },
  storedMeaning:
    "What the last report, heartbeat or sweep has written down. The effective status is worked out anew each time somebody looks, from the agent's state and the age of its news as well, so it changes first; the next sweep brings the stored one after it.",
  about: "About",
  claims: "Also reported by",
  claimsMeaning:
    "These agents report the service as well. Their reports of it are refused while its own agent is online; most often a configuration was copied from one host to another.",
  alsoReports: "also reports this service since",
  move: {
    verb: "Move",
    open: "Move to another agent",
    title: (code: string) => `Move ${code} to another agent`,
    agent: "Agent",
    agentHint:
      "It must be online. Its reports of the service are taken from then on, those of the present agent are refused. Commands that were made before stay with the present agent.",
    choose: "Choose an agent",
    claims: (code: string) => `${code} (reports it already)`,
    done: (code: string, agent: string) => `${code} belongs to ${agent} now.`,
    more: (count: number) => `Only the newest ${count} agents that are online are offered here.`,
  },
  firstReported: "First reported",
  changed: "Last changed",
  manifest: "Manifest",

  reported: "Reported",
  nothingReported: "nothing",
  since: "Since",
  healthDetails: "Details",
  transitions: "Transitions",
  transitionsLabel: "Changes of the reported health, newest first",
  noTransitions:
    "The reported health has not changed since the service is known, as far as the audit trail reaches back.",
  moreTransitions: (total: string) => `All ${total} changes in the audit trail`,
  to: "to",

  configs: {
    label: "Configuration",
    empty: "Its agent tells nothing of its configuration.",
    key: "Key",
    value: "Value",
    byDefault: "Default",
    source: "Source",
    secretRef: "Kept in",
    marks: "Marks",
    sensitive: "sensitive",
    editable: "editable",
    hidden: "never shown",
    hiddenWhy: "The values of sensitive entries are not stored here, whatever an agent sends.",
  },

  actions: {
    label: "Actions",
    empty: "Its agent declares no actions for it.",
    find: "Find an action",
    noneFound: "No action matches.",
    confirmed: "asks for confirmation",
    timeout: (seconds: number) => `time-out ${seconds} s`,
    run: "Run",
    forOperators: "Your role may read these. Operators and owners run them.",
    agentAway:
      "Its agent does not answer right now: a run is refused, or, if you let it wait, it fails unless the agent comes back before the command expires.",
    agentDisabled: "Its agent is disabled: a run is refused until it is enabled.",
    agentWithoutToken:
      "The token of its agent was revoked: a run is refused until the agent has registered again.",
  },
};
