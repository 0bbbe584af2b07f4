// Pages of services.

export const services = {
  toAgents: "Go to the agents",
  health: "Reported health",
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
