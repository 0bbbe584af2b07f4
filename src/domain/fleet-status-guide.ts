// The part of the status guide about agents, tokens, users and services.

import type { ErrorGuide } from "./error-guide.ts";

/** For a status that is no problem. */
export function usual(meaning: string, remedy = "There is nothing to do."): ErrorGuide {
  return { meaning, causes: [], remedy };
}

export const fleetStatusGuide = {
  // Agents, tokens and users
  ONLINE: usual("The agent or node calls regularly."),
  OFFLINE: {
    meaning:
      "An agent: it was stopped, has no valid token, or has not called for 90 s. A service: its agent was stopped, is " +
      "disabled, has no valid token, or has not called for 900 s. A node: it was not seen for 15 s. Settings can change " +
      "the times of agents and services.",
    causes: [
      "The program was stopped, or it, its host or its network is down. WHY or MESSAGE has the reason.",
    ],
    remedy:
      "Look at the reason first: `platformctl agents get AGENT` shows it. `platformctl explain` says what to do about STOPPED, " +
      "SILENT and TOKEN_REVOKED, and `platform docs troubleshooting` has more.",
  },
  DISABLED: {
    meaning: "An agent or user is locked out, or a bus route creates no commands.",
    causes: ["An operator has disabled it."],
    remedy: "Enable it again, for example with `platformctl agents enable AGENT`.",
  },
  TOKEN_REVOKED: {
    meaning: "The agent is OFFLINE, because its token was revoked.",
    causes: ["An operator has revoked it with `platformctl agents revoke-token`."],
    remedy: "Register the agent again, with a token from `platformctl tokens create`.",
  },
  SILENT: {
    meaning: "The agent is OFFLINE, because it has not called for too long.",
    causes: ["The agent or its host is down, or cannot reach the server."],
    remedy: "Look at the agent's log on its host.",
  },
  ACTIVE: usual("The token, key or user is valid."),
  NONE: {
    meaning: "The agent has never had a token.",
    causes: ["It did not get into the database by registering."],
    remedy: "Register it with a token from `platformctl tokens create`.",
  },
  REVOKED: {
    meaning: "The token or key was revoked, and is no longer valid.",
    causes: ["An operator has revoked it."],
    remedy: "Create a new one if it is still needed.",
  },
  USED: usual("An agent has registered with the token. Of a label: it applies."),
  EXPIRED: {
    meaning: "The token, key or request is no longer valid. A request was not decided in time.",
    causes: ["Its time of expiry has passed."],
    remedy: "Create a new one, or ask for approval again.",
  },
  DELETED: usual(
    "The user to whom the key belongs was deleted. The key was revoked.",
    "Delete the key.",
  ),

  // Services
  HEALTHY: usual("The agent reports the service as UP or HEALTHY."),
  UNHEALTHY: {
    meaning: "The agent reports the service as DOWN, DEGRADED or UNHEALTHY.",
    causes: ["The service has a problem. MESSAGE has what its health check says."],
    remedy: "See `platformctl services get SERVICE`, and correct the cause on the host.",
  },
  STALE: {
    meaning:
      "The service has not been reported for too long (120 s), or its agent has been silent for a short time (90 s). If the " +
      "agent stays silent (900 s), its services become OFFLINE. Settings can change these times.",
    causes: [
      "The agent, its host or its network is down.",
      "The agent calls, but does not report the service, for example after a move to that agent.",
    ],
    remedy:
      "Look at the cause first: `platformctl services get SERVICE` shows it. If the agent does not call, see AGENT_SILENT; " +
      "if it has stopped reporting the service, NOT_REPORTED; if the service was moved, NOT_REPORTED_YET.",
  },
  FLAPPING: {
    meaning: "The health of the service has changed at least 5 times within 15 minutes.",
    causes: ["The service restarts, is overloaded, or its health check is too strict."],
    remedy: "See when it changed with `platformctl services history SERVICE`.",
  },
  HEALTH: {
    meaning: "The agent reports the service as DOWN, DEGRADED or UNHEALTHY.",
    causes: ["The health check of the service failed, or did not end in time."],
    remedy: "See `platformctl services get SERVICE`, and correct the cause on the host.",
  },
  CHANGES: {
    meaning: "The service is FLAPPING: its health keeps changing.",
    causes: ["The service restarts, is overloaded, or its health check is too strict."],
    remedy: "See when it changed with `platformctl services history SERVICE`.",
  },
  NOT_REPORTED: {
    meaning: "The agent calls, but has stopped reporting the service.",
    causes: [
      "The service was removed from the agent's configuration.",
      "The agent's reports fail. Its log says why.",
    ],
    remedy:
      "See the agent's log on its host, or add the service to the agent again. If the service no longer exists, delete it with " +
      "`platformctl services delete SERVICE`.",
  },
  NOT_REPORTED_YET: {
    meaning: "The service was moved to an agent that has not reported it yet.",
    causes: ["The service is not in the configuration with which the new agent runs."],
    remedy: "Add it to the configuration of the new agent, and restart that agent.",
  },
  AGENT_SILENT: {
    meaning: "The agent of the service has not called for too long.",
    causes: ["The agent or its host is down, or cannot reach the server."],
    remedy: "Look at the agent's log on its host.",
  },
  AGENT_STOPPED: {
    meaning:
      "As the cause of a problem: the service is OFFLINE, because its agent was stopped properly.",
    causes: [],
    remedy: "If the agent should run, start it again.",
  },
  AGENT_DISABLED: {
    meaning: "As the cause of a problem: the service is OFFLINE, because its agent is disabled.",
    causes: [],
    remedy: "While it is disabled, `platformctl attention silence SERVICE` hides the problem.",
  },
  AGENT_WITHOUT_TOKEN: {
    meaning: "The agent of the service has no valid token.",
    causes: ["The token was revoked."],
    remedy: "Register the agent again, with a token from `platformctl tokens create`.",
  },
  ACKNOWLEDGED: usual("An operator knows about the problem of the service, and has said so."),
  SILENCED: usual("An operator has silenced the problem of the service until a given time."),
  SERVICE_CODE_TAKEN: {
    meaning:
      "The agent reports a service whose code belongs to another agent. It was not accepted.",
    causes: [
      "Two services have the same code, or the service runs on another host now and its previous agent is still online.",
      "Labels are assigned to the service that are not assigned to this agent.",
    ],
    remedy:
      "Move it with `platformctl services move SERVICE --to AGENT`, or give one of them another code.",
  },
  SERVICE_LIMIT_REACHED: {
    meaning: "The agent reports more services than allowed. This one was not accepted.",
    causes: ["The agent has as many services as `PLATFORM_AGENT_MAX_SERVICES` allows."],
    remedy:
      "Delete services that are no longer needed, spread them over several agents, or raise the limit.",
  },
  LOW: usual("The action is harmless. It runs without confirmation unless it asks for one."),
  MEDIUM: usual("The action can disturb the service for a while."),
  HIGH: usual(
    "The action can do damage.",
    "Look at the state that is shown before you confirm it.",
  ),
} as const satisfies Readonly<Record<string, ErrorGuide>>;
