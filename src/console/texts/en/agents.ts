// Pages of agents.

export const agents = {
  mode: "Mode",
  labels: "Labels",
  registered: "Registered",

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
};
