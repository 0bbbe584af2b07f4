// The part of the status guide about agents, tokens, users and services.

import type { ErrorGuide } from "./error-guide.ts";

/** For a status that is no problem. */
export function usual(meaning: string, remedy = "No action is needed."): ErrorGuide {
  return { meaning, causes: [], remedy };
}

export const fleetStatusGuide = {
  // Agents, tokens and users
  ONLINE: usual(
    "The agent calls the server regularly, or the node (a server of a cluster) was seen recently.",
  ),
  OFFLINE: {
    meaning:
      "An agent is OFFLINE if it was stopped, has no valid token, or has not called for 90 s. A service is OFFLINE if " +
      "its agent was stopped, is disabled, has no valid token, or has not called for 900 s. A node (a server of a " +
      "cluster) is OFFLINE if it was not seen for 15 s. The times for agents and services can be configured.",
    causes: [
      "The program was stopped or has crashed, or its host or the network is down. WHY or MESSAGE contains the reason.",
    ],
    remedy:
      "First, look at the reason with `platformctl agents get AGENT`. `platformctl explain` says what to do about " +
      "STOPPED, SILENT and TOKEN_REVOKED. `platform docs troubleshooting` explains more.",
  },
  DISABLED: {
    meaning: "A disabled agent or user is locked out. A disabled bus route creates no commands.",
    causes: ["Somebody disabled the agent, the user or the route."],
    remedy:
      "Enable the agent, user or route again, for example with `platformctl agents enable AGENT`.",
  },
  TOKEN_REVOKED: {
    meaning: "The agent is OFFLINE because its token was revoked.",
    causes: ["An operator revoked the token with `platformctl agents revoke-token`."],
    remedy: "Register the agent again, with a token from `platformctl tokens create`.",
  },
  SILENT: {
    meaning:
      "The agent is OFFLINE because it has not called the server for longer than the offline threshold.",
    causes: ["The agent or its host is down, or the agent cannot reach the server."],
    remedy: "Look at the agent's log on its host.",
  },
  ACTIVE: usual("The token, key or user is valid."),
  NONE: {
    meaning: "The agent has never had a token.",
    causes: ["The agent was added to the database without registering."],
    remedy: "Register the agent with a token from `platformctl tokens create`.",
  },
  REVOKED: {
    meaning: "The token or key was revoked, and is no longer valid.",
    causes: ["Somebody revoked the token or key."],
    remedy: "If the token or key is still needed, create a new one.",
  },
  USED: usual(
    "An agent has registered with the token. For a label, USED means that the label applies.",
  ),
  EXPIRED: {
    meaning:
      "The token or key is no longer valid, or the request for approval was not decided in time.",
    causes: ["The expiry time has passed."],
    remedy: "Create a new token or key, or ask for approval again.",
  },
  DELETED: usual(
    "The user to whom the key belongs was deleted, so the key was revoked.",
    "Delete the key.",
  ),

  // Services
  HEALTHY: usual("The agent reports the service as UP or HEALTHY."),
  UNHEALTHY: {
    meaning: "The agent reports the service as DOWN, DEGRADED or UNHEALTHY.",
    causes: ["The service has a problem. MESSAGE contains the message of the health check."],
    remedy:
      "See the details with `platformctl services get SERVICE`, and fix the cause on the host.",
  },
  STALE: {
    meaning:
      "The agent has not reported the service for 120 s, or has not called at all for 90 s. If the agent has not " +
      "called for 900 s, its services become OFFLINE. These times can be configured.",
    causes: [
      "The agent, its host or its network is down.",
      "The agent calls the server, but does not report the service, for example because the service was moved to the agent only recently.",
    ],
    remedy:
      "First, look at the cause with `platformctl services get SERVICE`. Then see the entry for that cause: " +
      "AGENT_SILENT, NOT_REPORTED or NOT_REPORTED_YET.",
  },
  FLAPPING: {
    meaning: "The health of the service has changed at least 5 times within 15 minutes.",
    causes: [
      "The service restarts again and again or is overloaded, or its health check is too strict.",
    ],
    remedy: "To see when the health changed, run `platformctl services history SERVICE`.",
  },
  HEALTH: {
    meaning: "The agent reports the service as DOWN, DEGRADED or UNHEALTHY.",
    causes: ["The health check of the service failed, or did not end in time."],
    remedy:
      "See the details with `platformctl services get SERVICE`, and fix the cause on the host.",
  },
  CHANGES: {
    meaning: "The service is FLAPPING: its health keeps changing.",
    causes: [
      "The service restarts again and again or is overloaded, or its health check is too strict.",
    ],
    remedy: "To see when the health changed, run `platformctl services history SERVICE`.",
  },
  NOT_REPORTED: {
    meaning: "The agent still calls the server, but has stopped reporting the service.",
    causes: [
      "The service was removed from the agent's configuration.",
      "The agent's reports fail. The agent's log says why.",
    ],
    remedy:
      "See the agent's log on its host, or add the service to the agent's configuration again. If the service no " +
      "longer exists, delete it with `platformctl services delete SERVICE`.",
  },
  NOT_REPORTED_YET: {
    meaning: "The service was moved to an agent that has not reported it yet.",
    causes: ["The new agent runs with a configuration that does not contain the service."],
    remedy: "Add the service to the configuration of the new agent, and restart that agent.",
  },
  AGENT_SILENT: {
    meaning: "The agent of the service has not called the server for too long.",
    causes: ["The agent or its host is down, or the agent cannot reach the server."],
    remedy: "Look at the agent's log on its host.",
  },
  AGENT_STOPPED: {
    meaning:
      "If this code is shown as the cause of a problem, the service is OFFLINE because its agent was shut down properly.",
    causes: [],
    remedy: "If the agent should be running, start it again.",
  },
  AGENT_DISABLED: {
    meaning:
      "If this code is shown as the cause of a problem, the service is OFFLINE because its agent is disabled.",
    causes: [],
    remedy:
      "While the agent is disabled, you can hide the service's problem with `platformctl attention silence SERVICE`.",
  },
  AGENT_WITHOUT_TOKEN: {
    meaning: "The agent of the service has no valid token.",
    causes: ["The token was revoked."],
    remedy: "Register the agent again, with a token from `platformctl tokens create`.",
  },
  ACKNOWLEDGED: usual("An operator has marked the service's problem as known."),
  SILENCED: usual("An operator has hidden the service's problem until a given time."),
  SERVICE_CODE_TAKEN: {
    meaning:
      "The agent reports a service whose code belongs to another agent. The server did not accept the service.",
    causes: [
      "Two services have the same code, or the service now runs on another host and its previous agent is still online.",
      "The service has assigned labels that are not assigned to this agent.",
    ],
    remedy:
      "Move the service with `platformctl services move SERVICE --to AGENT`. If there are two services, give one of " +
      "them another code.",
  },
  SERVICE_LIMIT_REACHED: {
    meaning:
      "The agent reports more services than the server allows. The server did not accept this service.",
    causes: ["The agent has as many services as `PLATFORM_AGENT_MAX_SERVICES` allows."],
    remedy:
      "Delete services that are no longer needed, spread them over several agents, or raise the limit.",
  },
  LOW: usual(
    "The action is harmless. It runs without confirmation unless its declaration requires one.",
  ),
  MEDIUM: usual("The action can disturb the service for a while."),
  HIGH: usual(
    "The action can do damage.",
    "Before you confirm the action, look at the current state that is shown.",
  ),
} as const satisfies Readonly<Record<string, ErrorGuide>>;
