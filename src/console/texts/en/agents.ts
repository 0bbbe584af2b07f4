export const agents = {
  mode: "Mode",
  registered: "Registered",

  life: "Connection",
  meaning: {
    ONLINE: (within: string) =>
      `The agent has called within the last ${within}. Every call counts, not only a heartbeat.`,
    SILENT: (after: string) =>
      `The agent has not called for more than ${after}. Its next call makes it ONLINE again.`,
    STOPPED: "The agent reported that it was stopping. Its next call makes it ONLINE again.",
    TOKEN_REVOKED:
      "The agent's token was revoked. The server refuses the agent's calls until the agent has registered again.",
    DISABLED:
      "An operator has disabled the agent, so the server refuses its calls. Its services are OFFLINE. Commands for these services are refused unless they are queued.",
  },
  disabledSince: "Disabled",
  token: "Agent token",
  tokenSince: "Issued",
  withoutToken: "token revoked",
  tokenRevokedMeaning:
    "The agent has no valid token and must register again with a new registration token. Until then the server refuses its calls, and its services are OFFLINE.",
  services: "Services",
  since: "Since",
  servicesLabel: "Services of this agent",
  noServices: "The agent has not reported any services yet.",
  refused: "Refused services",
  refusedMeaning:
    "The agent reports these services, but they belong to other agents, so the server ignores its reports of them. The agent takes over a service when the other agent is offline, is disabled or has no token, or when an operator moves the service.",
  refusedService: "{service} belongs to {agent}; first refused {time}",
  commands: "Recent commands",
  audit: "Audit",
};
