// What each status, state and reason in the tables of the command line means, why it occurs and what
// to do. `platform explain` prints it, and `npm run generate` writes docs/reference/errors.md from
// it. If a code is also an error code, this is its second meaning, which says where it applies.

import type { AgentStatus, OfflineReason, TokenState } from "./agents.ts";
import type { ApprovalState } from "./approvals/approvals.ts";
import type { Cause, NoteKind, Problem } from "./attention.ts";
import type { MatchOutcome } from "./bus/bus-events.ts";
import type { RouteState } from "./bus/bus-routes.ts";
import type { CancelOutcome, CommandStatus, CommandType } from "./commands.ts";
import type { ErrorGuide } from "./error-guide.ts";
import { fleetStatusGuide, usual } from "./fleet-status-guide.ts";
import type { RegistrationTokenStatus } from "./registration-tokens.ts";
import type { RolloutReason, RolloutState, TargetState } from "./rollouts.ts";
import type { RunState, ScheduleState, SkipReason } from "./schedules/schedules.ts";
import type { RejectionReason } from "./service-claims.ts";
import type { DangerLevel, EffectiveStatus } from "./services.ts";
import type { MigrationState } from "./storage/migrations.ts";

type Status =
  | (AgentStatus | OfflineReason | TokenState | RegistrationTokenStatus)
  | (EffectiveStatus | Problem | Cause | NoteKind | DangerLevel | RejectionReason)
  | (CommandStatus | CommandType | CancelOutcome | ApprovalState)
  | (RolloutState | RolloutReason | TargetState | ScheduleState | RunState | SkipReason)
  | (RouteState | MatchOutcome | MigrationState);

export const statusGuide = {
  // Rollouts, their services, and runs of schedules
  OPERATOR: {
    meaning: "An operator has paused the rollout.",
    causes: ["Somebody has run `platformctl rollouts pause`, or used the console."],
    remedy:
      "Continue with `platformctl rollouts resume ROLLOUT`. The audit trail says who paused it.",
  },
  APPROVAL_REQUIRED: {
    meaning:
      "As the reason of a paused rollout: policies now require approval for the remaining services.",
    causes: ["Of a paused rollout: a policy, a label or an action has changed since the start."],
    remedy:
      "To ask for approval of the rest of a paused rollout, run `platformctl rollouts resume ROLLOUT`.",
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
    causes: [
      "The action failed, or services were not healthy afterwards with `--health-gate`.",
      "Services were deleted or have changed, or their agents were offline with `--offline fail`.",
    ],
    remedy:
      "See why with `platformctl rollouts results ROLLOUT --state FAILED`, correct the cause, and run " +
      "`platformctl rollouts retry ROLLOUT --rest`.",
  },
  TOO_MANY_NOT_RUN: {
    meaning:
      "The action was not run or failed on more services than `--max-failures` allows. The rollout reached its end.",
    causes: ["Agents were offline or disabled when the turn of their services came."],
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
    causes: [
      "The request was rejected, withdrawn or outdated, has failed, or has expired.",
      "The rollout was cancelled while it waited for approval.",
    ],
    remedy:
      "See why with `platformctl approvals list`. Start the rollout or save the schedule again to ask again.",
  },
  MISSED: {
    meaning:
      "The run of the schedule was skipped, because no server could start it when it was due.",
    causes: [
      "For more than a minute, no server ran or the database could not be used, and the schedule has `missed: skip`.",
    ],
    remedy:
      "Run it now with `platformctl schedules run SCHEDULE`. `--missed once` makes up for missed runs.",
  },
  OVERLAP: {
    meaning: "The run of the schedule was skipped, because the previous one had not ended.",
    causes: ["A run takes longer than the time until the next one, or waits for an agent."],
    remedy:
      "See what is running with `platformctl schedules runs SCHEDULE`. `--overlap wait` lets one run wait.",
  },
  PAUSED: {
    meaning:
      "A rollout or a schedule is paused and starts nothing. As the error of a run: it was skipped for this reason.",
    causes: [
      "An operator has paused it, or all schedules.",
      "A rollout has ended a wave, or needs approval: WHY says which.",
    ],
    remedy:
      "Continue with `platformctl rollouts resume ROLLOUT`, or with `platformctl schedules resume SCHEDULE` or `--all`.",
  },
  WAITING: usual(
    "It has not started: the service waits for its turn, or the run for the previous one.",
  ),
  STARTING: usual("The run of the schedule is creating its rollout."),
  CHECKING: usual(
    "The command of the rollout has succeeded, and the service is not known to be healthy yet.",
  ),
  NOT_RUN: {
    meaning: "The rollout created no command for the service.",
    causes: ["The agent was offline or disabled, or the rollout ended first."],
    remedy:
      "ERROR says why, unless the rollout ended first. Run the rest with `platformctl rollouts retry ROLLOUT --rest`.",
  },
  SKIPPED: {
    meaning: "The run of the schedule, or the check, did not happen.",
    causes: [
      "A run: ERROR has the reason, which is MISSED, OVERLAP or PAUSED.",
      "A check: it was not possible, for example because another check failed.",
    ],
    remedy: "Run the schedule now with `platformctl schedules run SCHEDULE` if it is needed.",
  },
  ENABLED: usual("The schedule runs when it is due, or the bus route creates commands."),

  // Commands
  PENDING: usual(
    "The agent has not fetched the command yet. Of a migration: the database does not have it yet.",
    "If a command stays so, see whether the agent calls: `platformctl agents get AGENT`.",
  ),
  RUNNING: usual("The command, rollout or run has started, and has not ended."),
  SUCCEEDED: usual("It has ended without an error."),
  FAILED: {
    meaning:
      "It has ended with an error. Of a request: it was approved, but what it asked for could no longer be started.",
    causes: [
      "ERROR or WHY has the code of the error, which `platformctl explain` explains, too.",
      "Of a request: the user who made it may no longer do this.",
    ],
    remedy:
      "Read the error with `platformctl commands get COMMAND`, `platformctl rollouts get ROLLOUT` or `platformctl approvals get REQUEST`.",
  },
  CANCELLED: usual(
    "It was cancelled before its end, by an operator or because it was not approved.",
    "Run it again if it is still needed.",
  ),
  ACTION_EXECUTE: usual("The command runs an action."),
  ACTION_PREPARE: usual("The command asks for the form and the current state of an action."),
  STOPPED: {
    meaning:
      "A cancelled command: the action was stopped before its end. An agent: it is OFFLINE, because its program was stopped properly.",
    causes: ["Somebody has cancelled the command, or stopped the agent or its host."],
    remedy: "Start the agent again if it should run.",
  },
  FINISHED: usual(
    "The command was cancelled, but the action had already finished or failed.",
    "See the late result with `platformctl commands get COMMAND`.",
  ),
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
      "A service: its agent reports a health that the server does not know, or none. A cancelled command: it is not " +
      "known whether the action was stopped. A migration: a newer program has applied it.",
    causes: ["The service has no health check, or the agent ended while the command ran."],
    remedy: "Give the service a health check, or check the service.",
  },

  ...fleetStatusGuide,

  // Approvals
  AWAITING_APPROVAL: usual(
    "It runs only after approval, which has been requested.",
    "Somebody else decides with `platformctl approvals approve REQUEST`.",
  ),
  APPROVED: usual("The request was approved."),
  REJECTED: usual("The request was rejected, so nothing ran.", "Ask again if things have changed."),
  WITHDRAWN: usual(
    "The requester or an owner has withdrawn the request, or its rollout was cancelled, so nothing ran.",
  ),
  OUTDATED: {
    meaning: "What would run has changed since the request, so the request ended.",
    causes: [
      "The schedule was changed or deleted, or an owner has bypassed the approval.",
      "The service was moved or deleted, or declares the action differently.",
    ],
    remedy: "Ask for approval again if it is still needed.",
  },
  BYPASSED: usual("An owner ran this without approval, with `--break-glass`."),

  // The event bus
  DRY_RUN: usual("The bus route records what it would do, and creates no commands."),
  COMMAND_CREATED: usual("The bus route has created a command for the event."),

  // Labels
  ASSIGNED: usual("An owner has assigned the label, or has put it in the registration token."),
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
  SUCCESS: usual("What the event records has succeeded."),
  FAILURE: {
    meaning: "What the event records has failed. A check: it has found a problem.",
    causes: [
      "A call, a command, a rollout or a run of a schedule has failed, or the server has detected damage.",
    ],
    remedy: "Read the details: the event has the reason, and the check has a remedy.",
  },
  DENIED: {
    meaning: "The call, or a part of it, was refused, because the caller may not do this.",
    causes: [
      "The role of the caller is too low, or a password or token is wrong.",
      "An agent reported another agent's service, or published an event in its name.",
      "A policy requires approval.",
    ],
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
  CHANGED: {
    meaning: "The migration was applied in a form that differs from this program's.",
    causes: ["The database belongs to another build of the program."],
    remedy: "Use the program that wrote the database.",
  },

  // The credential of an agent
  REGISTRATION_TOKEN: usual("The credential that was checked is a registration token."),
  AGENT_TOKEN: usual("The credential that was checked is the token of a registered agent."),
} as const satisfies Readonly<Record<Status, ErrorGuide>> & Readonly<Record<string, ErrorGuide>>;
