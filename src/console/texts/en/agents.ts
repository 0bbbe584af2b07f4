// Pages of agents.

export const agents = {
  title: "Agents",
  lead: "Programs that run next to your services, and speak for them.",
  empty: "No agent has registered yet. One needs a registration token for it, which works once.",
  emptyForViewers:
    "No agent has registered yet. One needs a registration token, which an operator or owner creates.",
  mode: "Mode",
  labels: "Labels",
  lastSign: "Last sign of life",
  registered: "Registered",
  searchHint: "Code or name",
  labelFilter: "Label",
  labelHint: "key:value",
  reasons: {
    DISABLED: "disabled",
    TOKEN_REVOKED: "token revoked",
    SILENT: "silent",
    STOPPED: "stopped",
  },
  tokenState: "Token",
  noneOfThisCode: "There is no such agent.",

  life: "Sign of life",
  meaning: {
    ONLINE:
      "It has called within the offline threshold (90 s unless the server was told otherwise). Every call counts as a sign of life, not only a heartbeat.",
    SILENT:
      "It has not called for longer than the offline threshold (90 s unless the server was told otherwise). With its next call it is ONLINE again.",
    STOPPED: "It said that it stops. With its next call it is ONLINE again.",
    TOKEN_REVOKED:
      "Its token was revoked: none of its calls is let in until it has registered again.",
    DISABLED:
      "An operator has disabled it: each of its calls is refused. Its services count as OFFLINE, and commands for them wait or are refused.",
  },
  disabledSince: "Disabled",
  token: "Agent token",
  tokenSince: "Since",
  withoutToken: "token revoked",
  tokenRevokedMeaning:
    "It has no token that works: it must register again, with a fresh registration token. Until then its calls are refused, and its services count as OFFLINE.",
  services: "Services",
  servicesLabel: "Services of this agent",
  noServices: "It has not reported any service yet.",
  refused: "Refused services",
  refusedMeaning:
    "It reports these as its own, but they belong to other agents: what it reports of them is not taken. It gets one when the other agent is offline, is disabled or has no token, or when an operator moves it.",
  belongsTo: "belongs to",
  refusedSince: "refused since",
  commands: "Recent commands",
  audit: "Audit",

  acts: {
    "agents.disable": {
      verb: "Disable",
      title: (code: string) => `Disable ${code}?`,
      happens: [
        "Each of its calls is refused at once; a poll that the server holds open for it ends.",
        "Its services count as OFFLINE. A new run is refused unless it may wait; commands that wait expire unless the agent is enabled in time.",
        "What it is running may still finish, but the result is refused: unless the agent is enabled before the command's time is over, the command ends as FAILED.",
        "It cannot come back by registering again. Its token stays, and works again when you enable it.",
      ],
      done: (code: string) => `${code} is disabled.`,
    },
    "agents.enable": {
      verb: "Enable",
      title: (code: string) => `Enable ${code}?`,
      happens: [
        "Its calls are taken again, with the token that it has.",
        "Commands that wait for it and have not expired are delivered, and run.",
        "It is ONLINE if it was heard of within the offline threshold, else with its next call. An agent that asks every 30 s may need that long.",
      ],
      done: (code: string) => `${code} is enabled.`,
    },
    "agents.revoke-token": {
      verb: "Revoke token",
      title: (code: string) => `Revoke the token of ${code}?`,
      happens: [
        "Its token stops working at once and for good; a poll that the server holds open for it ends.",
        "Its services count as OFFLINE. What it is running may still finish, but the result is refused until it has registered again.",
        "It must register again with a fresh registration token. Under the same code it stays the same agent, with its services and its history.",
      ],
      done: (code: string) => `The token of ${code} is revoked. It must register again.`,
    },
    "agents.delete": {
      verb: "Delete",
      title: (code: string) => `Delete ${code}?`,
      happens: [
        "The agent is deleted, with its services, their configuration and actions, and its token.",
        "Its commands, its bus events and the audit trail stay, with its code and those of its services in them. Commands go when their retention is over.",
        "If it is started again it must register again, with a fresh registration token, and is a new agent. Routes that name one of its services fail until the service is reported again.",
      ],
      done: (code: string) => `${code} is deleted.`,
    },
  },
};
