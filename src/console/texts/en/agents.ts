// Pages of agents.

export const agents = {
  mode: "Mode",
  labels: "Labels",
  registered: "Registered",

  life: "Sign of life",
  meaning: {
    ONLINE:
      "It has called within the offline threshold (90 s by default). Every call counts, not only a heartbeat.",
    SILENT:
      "It has not called for longer than the offline threshold (90 s by default). Its next call makes it ONLINE again.",
    STOPPED: "It reported that it was stopping. Its next call makes it ONLINE again.",
    TOKEN_REVOKED:
      "Its token was revoked. The server refuses its calls until it has registered again.",
    DISABLED:
      "An operator has disabled it, so the server refuses its calls. Its services are OFFLINE. Commands for them are refused, unless they are queued.",
  },
  disabledSince: "Disabled",
  token: "Agent token",
  tokenSince: "Since",
  withoutToken: "token revoked",
  tokenRevokedMeaning:
    "It has no valid token and must register again with a new registration token. Until then the server refuses its calls, and its services are OFFLINE.",
  services: "Services",
  servicesLabel: "Services of this agent",
  noServices: "It has not reported any services yet.",
  refused: "Refused services",
  refusedMeaning:
    "It reports these services, but they belong to other agents, so the server ignores its reports of them. It takes a service over when the other agent is offline, is disabled or has no token, or when an operator moves the service.",
  belongsTo: "belongs to",
  refusedSince: "refused since",
  commands: "Recent commands",
  audit: "Audit",
};
