// What each status, state and reason in the tables of the command line means, why it occurs and what
// to do. `platform explain` prints it, and `npm run generate` writes docs/reference/errors.md from
// it. Codes that are also error codes are in error-guide.ts.

import type { AgentStatus, OfflineReason, TokenState } from "./agents.ts";
import type { ApprovalState } from "./approvals/approvals.ts";
import type { Cause, NoteKind, Problem } from "./attention.ts";
import type { MatchOutcome } from "./bus/bus-events.ts";
import type { RouteState } from "./bus/bus-routes.ts";
import type { CancelOutcome, CommandStatus, CommandType } from "./commands.ts";
import type { commandLineGuide, ErrorGuide, OutcomeCode } from "./error-guide.ts";
import type { ErrorCode } from "./errors.ts";
import type { RegistrationTokenStatus } from "./registration-tokens.ts";
import type { RolloutReason, RolloutState, TargetState } from "./rollouts.ts";
import type { RunState, ScheduleState, SkipReason } from "./schedules/schedules.ts";
import type { RejectionReason } from "./service-claims.ts";
import type { DangerLevel, EffectiveStatus } from "./services.ts";

type Status =
  | (AgentStatus | OfflineReason | TokenState | RegistrationTokenStatus)
  | (EffectiveStatus | Problem | Cause | NoteKind | DangerLevel | RejectionReason)
  | (CommandStatus | CommandType | CancelOutcome | ApprovalState)
  | (RolloutState | RolloutReason | TargetState | ScheduleState | RunState | SkipReason)
  | (RouteState | MatchOutcome);
type Other = Exclude<Status, ErrorCode | OutcomeCode | keyof typeof commandLineGuide>;

/** For a status that is no problem. */
function usual(meaning: string, remedy = "There is nothing to do."): ErrorGuide {
  return { meaning, causes: [], remedy };
}

export const statusGuide = {
  // Rollouts, their services, and runs of schedules
  OPERATOR: {
    meaning: "An operator has paused or cancelled the rollout.",
    causes: ["Somebody has run `platformctl rollouts pause` or `cancel`, or used the console."],
    remedy:
      "Continue a paused rollout with `platformctl rollouts resume ROLLOUT`. The audit trail says who paused it.",
  },
  WAVE_ENDED: {
    meaning: "The rollout has paused after a wave, as `--between pause` demands.",
    causes: ["All services of the wave have ended."],
    remedy:
      "Look at the services of the wave, then continue with `platformctl rollouts resume ROLLOUT`.",
  },
  TOO_MANY_FAILURES: {
    meaning:
      "The action failed on more services than `--max-failures` allows, so the rollout ended.",
    causes: ["The action failed, or services were not healthy afterwards with `--health-gate`."],
    remedy:
      "See why with `platformctl rollouts results ROLLOUT --state FAILED`, correct the cause, and run " +
      "`platformctl rollouts retry ROLLOUT --rest`.",
  },
  TOO_MANY_NOT_RUN: {
    meaning:
      "The action was not run or failed on more services than `--max-failures` allows. The rollout reached its end.",
    causes: ["Agents were offline or disabled, or services were deleted or have changed."],
    remedy:
      "See why with `platformctl rollouts targets ROLLOUT --state NOT_RUN`, and run " +
      "`platformctl rollouts retry ROLLOUT --rest` when the agents are ONLINE.",
  },
  DEADLINE: {
    meaning: "The rollout had not succeeded by its `--deadline`, so it ended.",
    causes: ["The action is slow, agents were offline, or the rollout was paused for too long."],
    remedy: "Run the rest with `platformctl rollouts retry ROLLOUT --rest`.",
  },
  NOT_APPROVED: {
    meaning: "What needs approval was not approved, so it does not run.",
    causes: ["The request was rejected or withdrawn, or it expired."],
    remedy:
      "See why with `platformctl approvals list`. Start the rollout or save the schedule again to ask again.",
  },
  MISSED: {
    meaning: "The run of the schedule was skipped, because no server ran when it was due.",
    causes: ["The server was down, and the schedule has `missed: skip`."],
    remedy:
      "Run it now with `platformctl schedules run SCHEDULE`. `--missed once` makes up for missed runs.",
  },
  OVERLAP: {
    meaning: "The run of the schedule was skipped, because the previous one had not ended.",
    causes: ["A run takes longer than the time until the next one, or waits for an agent."],
    remedy:
      "See what is running with `platformctl schedules runs SCHEDULE`. `--overlap wait` lets a run wait.",
  },
  PAUSED: {
    meaning:
      "A rollout or a schedule is paused and starts nothing. As the error of a run: it was skipped for this reason.",
    causes: [
      "An operator has paused it, or all schedules.",
      "A rollout has ended a wave, or needs approval: WHY says which.",
    ],
    remedy:
      "Continue with `platformctl rollouts resume ROLLOUT` or `platformctl schedules resume SCHEDULE`.",
  },
  WAITING: usual(
    "It has not started: the service waits for its turn, or the run for the previous one.",
  ),
  STARTING: usual("The run of the schedule is creating its command or rollout."),
  CHECKING: usual("The command of the rollout has succeeded, and the service is not healthy yet."),
  NOT_RUN: {
    meaning: "The rollout created no command for the service.",
    causes: ["The agent was offline, the service has changed, or the rollout ended first."],
    remedy: "ERROR says why. Run the rest with `platformctl rollouts retry ROLLOUT --rest`.",
  },
  SKIPPED: {
    meaning: "The run of the schedule did not happen.",
    causes: ["ERROR has the reason: MISSED, OVERLAP or PAUSED."],
    remedy: "Run it now with `platformctl schedules run SCHEDULE` if it is needed.",
  },
  ENABLED: usual("The schedule runs when it is due, or the bus route creates commands."),

  // Commands
  PENDING: usual(
    "The agent has not fetched the command yet.",
    "If it stays so, see whether the agent calls: `platformctl agents get AGENT`.",
  ),
  RUNNING: usual("The command, rollout or run has started, and has not ended."),
  SUCCEEDED: usual("It has ended without an error."),
  FAILED: {
    meaning: "It has ended with an error.",
    causes: ["ERROR or WHY has the code of the error, which `platformctl explain` explains, too."],
    remedy:
      "Read the error with `platformctl commands get COMMAND` or `platformctl rollouts get ROLLOUT`.",
  },
  CANCELLED: usual(
    "It was cancelled before its end, by an operator or because it was not approved.",
    "Run it again if it is still needed.",
  ),
  ACTION_EXECUTE: usual("The command runs an action."),
  ACTION_PREPARE: usual("The command asks for the form and the current state of an action."),
  STOPPED: {
    meaning:
      "As the outcome of a cancelled command: the action was stopped. Of an agent: its program was stopped properly.",
    causes: ["Somebody has cancelled the command, or stopped the agent or its host."],
    remedy: "Start the agent again if it should run.",
  },
  FINISHED: usual("The command was cancelled, but the action had already finished."),
  NOT_STOPPED: {
    meaning: "The command was cancelled, but the action did not end within 10 s.",
    causes: ["The program or handler ignores the signal to stop."],
    remedy: "Check the service. The action may still be running.",
  },
  UNCONFIRMED: {
    meaning: "The command was cancelled, and the agent has not reported yet what became of it.",
    causes: ["The agent has not called since, or its program is older than this feature."],
    remedy: "Check the service. The action may still finish.",
  },
  UNKNOWN: {
    meaning:
      "A service: its agent reports a health that the server does not know, or none. A cancelled command: the agent " +
      "does not know whether the action was stopped.",
    causes: ["The service has no health check, or the agent was restarted."],
    remedy: "Give the service a health check, or check the service.",
  },

  // Agents, tokens and users
  ONLINE: usual("The agent or node calls regularly."),
  OFFLINE: {
    meaning: "The agent or node does not call. A service is OFFLINE if its agent is not ONLINE.",
    causes: ["The program was stopped, or cannot reach the server. WHY or MESSAGE has the reason."],
    remedy: "Start the program, or see its log. `platform docs troubleshooting` has more causes.",
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
    meaning: "The agent has no token.",
    causes: ["It has not registered, or its tokens were deleted."],
    remedy: "Register it with a token from `platformctl tokens create`.",
  },
  REVOKED: {
    meaning: "The token or key was revoked, and is no longer valid.",
    causes: ["An operator has revoked it."],
    remedy: "Create a new one if it is still needed.",
  },
  USED: usual("An agent has registered with the token. Of a label: it applies."),
  EXPIRED: {
    meaning: "The token, key or request was not used in time, and is no longer valid.",
    causes: ["It is older than its time of expiry."],
    remedy: "Create a new one, or ask for approval again.",
  },
  DELETED: usual("The user to whom the key belongs was deleted.", "Delete the key."),

  // Services
  HEALTHY: usual("The agent reports the service as UP."),
  UNHEALTHY: {
    meaning: "The agent reports that the service is not UP.",
    causes: ["The service has a problem. MESSAGE has what its health check says."],
    remedy: "See `platformctl services get SERVICE`, and correct the cause on the host.",
  },
  STALE: {
    meaning: "The agent calls, but has not reported the service for too long.",
    causes: ["The service was removed from the agent's configuration, or its health check hangs."],
    remedy: "Add it to the agent again, or delete it with `platformctl services delete SERVICE`.",
  },
  FLAPPING: {
    meaning: "The health of the service changes again and again.",
    causes: ["The service restarts, is overloaded, or its health check is too strict."],
    remedy: "See when it changed with `platformctl services history SERVICE`.",
  },
  HEALTH: {
    meaning: "The agent reported the problem of the service.",
    causes: ["The health check of the service failed."],
    remedy: "See `platformctl services get SERVICE`.",
  },
  CHANGES: {
    meaning: "The health of the service keeps changing.",
    causes: ["The service restarts, is overloaded, or its health check is too strict."],
    remedy: "See when it changed with `platformctl services history SERVICE`.",
  },
  NOT_REPORTED: {
    meaning: "The agent calls, but has stopped reporting the service.",
    causes: ["The service was removed from the agent's configuration, or its health check hangs."],
    remedy: "Add it to the agent again, or delete it with `platformctl services delete SERVICE`.",
  },
  NOT_REPORTED_YET: {
    meaning: "The service was moved to an agent that has not reported it yet.",
    causes: ["The service is not in the new agent's configuration, or the agent is not running."],
    remedy: "Add it to the configuration of the new agent, and start that agent.",
  },
  AGENT_SILENT: {
    meaning: "The agent of the service does not call.",
    causes: ["The agent or its host is down, or cannot reach the server."],
    remedy: "Look at the agent's log on its host.",
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
    causes: ["The service was moved to another host, or two services have the same code."],
    remedy:
      "Move it with `platformctl services move SERVICE --to AGENT`, or give one of them another code.",
  },
  SERVICE_LIMIT_REACHED: {
    meaning: "The agent reports more services than allowed. This one was not accepted.",
    causes: ["The agent or the server has as many services as its limit allows."],
    remedy: "Delete services that are no longer needed, or spread them over several agents.",
  },
  LOW: usual("The action is harmless. It runs without confirmation unless it asks for one."),
  MEDIUM: usual("The action can disturb the service for a while."),
  HIGH: usual(
    "The action can do damage.",
    "Look at the state that is shown before you confirm it.",
  ),

  // Approvals
  AWAITING_APPROVAL: usual(
    "It runs only after approval, which has been requested.",
    "Somebody else decides with `platformctl approvals approve REQUEST`.",
  ),
  APPROVED: usual("The request was approved."),
  REJECTED: usual("The request was rejected, so nothing ran.", "Ask again if things have changed."),
  WITHDRAWN: usual("The requester has withdrawn the request, so nothing ran."),
  OUTDATED: {
    meaning: "What would run has changed since the request, so the request ended.",
    causes: ["The schedule was changed, or the service declares the action differently."],
    remedy: "Ask for approval again.",
  },
  BYPASSED: usual("An owner ran this without approval, with `--break-glass`."),

  // The event bus
  DRY_RUN: usual("The bus route records what it would do, and creates no commands."),
  COMMAND_CREATED: usual("The bus route has created a command for the event."),

  // Labels
  ASSIGNED: usual("An owner has assigned the label."),
  REPORTED: usual("The agent reports the label."),
  OVERRIDDEN: usual("Another label with the same key counts instead of this one."),
  IGNORED: {
    meaning: "The label does not count, because agents cannot report labels with this key.",
    causes: ["The setting `operatorLabels` names the key."],
    remedy: "An owner can assign the label with `platformctl agents label AGENT`.",
  },
  SERVICE: usual("The label is one of the service itself."),

  // The audit trail
  USER: usual("A signed-in user has done it."),
  API_KEY: usual("A program has done it with an API key."),
  AGENT: usual("An agent has done it. Of a label: it is one of the agent."),
  SYSTEM: usual("The server has done it by itself."),
  LOCAL: usual("A user of the server's host has done it with `--db`."),
  REGISTRATION_TOKEN: usual("It was done with a registration token."),
  AGENT_TOKEN: usual("It was done with the token of an agent."),
  SUCCESS: usual("The call succeeded."),
  FAILURE: {
    meaning: "The call failed. Of a check: it has found a problem.",
    causes: ["The caller was not recognized, the input was not valid, or something is wrong."],
    remedy: "Read the details: the event has the error's code, and the check has a remedy.",
  },
  DENIED: {
    meaning: "The call was refused, because the caller may not make it.",
    causes: ["The role of the caller is too low, or the credential is not valid."],
    remedy: "If the caller should be allowed to, give them a higher role.",
  },
  APPROVE: usual("The approver has approved the request."),
  REJECT: usual("The approver has rejected the request."),
  SOUND: usual("Verification has found no change to the audit trail or the database."),
  BROKEN: {
    meaning: "The audit trail fails verification: somebody has changed it, or rows are gone.",
    causes: ["The database was edited by hand, or reset to an older state."],
    remedy: "Keep a copy of the database as evidence, and follow `platform docs guides/audit`.",
  },
  FOUND: usual("The audit trail contains the anchor."),
  MISSING: {
    meaning: "The audit trail does not contain the anchor.",
    causes: ["The database was reset to an older state or replaced, or the trail was changed."],
    remedy: "Follow `platform docs guides/audit`.",
  },
  PRUNED: usual("The anchor is older than what the trail has kept, so it cannot be checked."),
  NOT_REACHED: usual("The trail is broken before the anchor, so it could not be checked."),

  // The server
  UP: usual("The server, the service or a part of it works."),
  DEGRADED: {
    meaning: "The server or service works, but something is wrong.",
    causes: ["The database is slow, confirmed changes are gone, or the trail was changed."],
    remedy: "See the reason with `platformctl health`, or in the service's health message.",
  },
  DOWN: {
    meaning: "The server or service does not work.",
    causes: ["The database cannot be read or written, or the service's health check failed."],
    remedy: "See the reason with `platformctl health`, or in the service's health message.",
  },
  STOPPING: usual("The server is shutting down."),
  PROGRAM_TOO_OLD: {
    meaning: "The program of this server is too old for the database.",
    causes: ["A newer program has changed the schema of the database."],
    remedy: "Upgrade the server.",
  },
  OK: usual("The check has found no problem."),
  WARNING: {
    meaning: "The check has found something that can become a problem.",
    causes: ["The text beside it says what was found."],
    remedy: "Do what the text says.",
  },
  APPLIED: usual("The migration is part of the database."),
} as const satisfies Readonly<Record<Other, ErrorGuide>> & Readonly<Record<string, ErrorGuide>>;
