// What each status, state and reason in the tables of the command line means, why it occurs and
// what to do. `platform explain` prints it, and `npm run generate` writes docs/reference/errors.md
// from it. If a code is also an error code, the text here is a second meaning, and says where it
// applies.

import type { ApprovalState } from "../approvals/approvals.ts";
import type { MatchOutcome } from "../bus/bus-events.ts";
import type { RouteState } from "../bus/bus-routes.ts";
import type { CancelOutcome, CommandStatus, CommandType } from "../commands/commands.ts";
import type { AgentStatus, OfflineReason, TokenState } from "../fleet/agents.ts";
import type { Cause, NoteKind, Problem } from "../fleet/attention.ts";
import type { RegistrationTokenStatus } from "../fleet/registration-tokens.ts";
import type { RejectionReason } from "../fleet/service-claims.ts";
import type { DangerLevel, EffectiveStatus } from "../fleet/services.ts";
import type { RolloutReason, RolloutState, TargetState } from "../rollouts/rollouts.ts";
import type { RunState, ScheduleState, SkipReason } from "../schedules/schedules.ts";
import type { MigrationState } from "../storage/migrations.ts";
import type { ErrorGuide } from "./error-guide.ts";
import { fleetStatusGuide, usual } from "./fleet-status-guide.ts";

type Status =
  | (AgentStatus | OfflineReason | TokenState | RegistrationTokenStatus)
  | (EffectiveStatus | Problem | Cause | NoteKind | DangerLevel | RejectionReason)
  | (CommandStatus | CommandType | CancelOutcome | ApprovalState)
  | (RolloutState | RolloutReason | TargetState | ScheduleState | RunState | SkipReason)
  | (RouteState | MatchOutcome | MigrationState);

export const statusGuide = {
  // Rollouts, their services, and runs of schedules
  OPERATOR: {
    meaning: "An operator paused the rollout.",
    causes: ["Somebody ran `platformctl rollouts pause`, or paused the rollout in the console."],
    remedy:
      "Continue with `platformctl rollouts resume ROLLOUT`. The audit trail says who paused it.",
  },
  APPROVAL_REQUIRED: {
    meaning:
      "If this code is shown as the reason why a rollout is paused, policies now require approval for the remaining " +
      "services.",
    causes: [
      "A policy, a label or an action has changed since the start of the rollout that is now paused.",
    ],
    remedy:
      "To ask for approval of the rest of a paused rollout, run `platformctl rollouts resume ROLLOUT`.",
  },
  WAVE_ENDED: {
    meaning: "The rollout was started with `--between pause`, so it has paused after a wave.",
    causes: ["The commands of the wave have ended."],
    remedy:
      "Look at the services of the wave, then continue with `platformctl rollouts resume ROLLOUT`.",
  },
  TOO_MANY_FAILURES: {
    meaning:
      "The action failed on more services than `--max-failures` allows, so the rollout ended.",
    causes: [
      "The action failed, or the rollout was started with `--health-gate` and services were not healthy afterwards.",
      "Services were deleted or changed, or the rollout was started with `--offline fail` and agents were offline.",
    ],
    remedy:
      "To find out why, run `platformctl rollouts results ROLLOUT --state FAILED`. Fix the cause, then run `platformctl " +
      "rollouts retry ROLLOUT --rest`.",
  },
  TOO_MANY_NOT_RUN: {
    meaning:
      "The rollout has ended. The number of services on which the action failed or was not run is higher than " +
      "`--max-failures`.",
    causes: ["Agents were offline or disabled when it was their services' turn."],
    remedy:
      "To find out why, run `platformctl rollouts targets ROLLOUT --state NOT_RUN`. When the agents are ONLINE again, run " +
      "`platformctl rollouts retry ROLLOUT --rest`.",
  },
  DEADLINE: {
    meaning: "The rollout did not succeed before its `--deadline`, so it ended.",
    causes: ["The action is slow, agents were offline, or the rollout was paused for too long."],
    remedy: "Run the rest with `platformctl rollouts retry ROLLOUT --rest`.",
  },
  NOT_APPROVED: {
    meaning: "The rollout or schedule needs approval and was not approved, so it does not run.",
    causes: [
      "The request for approval was rejected or withdrawn, or it has failed, expired or become outdated.",
      "The rollout was cancelled while it waited for approval.",
    ],
    remedy:
      "To find out why, run `platformctl approvals list`. To ask for approval again, start the rollout again or save the " +
      "schedule again.",
  },
  MISSED: {
    meaning:
      "The run of the schedule was skipped, because no server could start it when it was due.",
    causes: [
      "For more than a minute after the run was due, no server was running or the database could not be used. The schedule has `missed: skip`.",
    ],
    remedy:
      "Run the schedule now with `platformctl schedules run SCHEDULE`. If a schedule has `--missed once`, one later " +
      "run replaces all missed runs.",
  },
  OVERLAP: {
    meaning: "The run of the schedule was skipped, because the previous run had not ended.",
    causes: ["A run takes longer than the time until the next run, or waits for an agent."],
    remedy:
      "`platformctl schedules runs SCHEDULE` shows what is running. If a schedule has `--overlap wait`, one run " +
      "waits for the previous run instead of being skipped.",
  },
  PAUSED: {
    meaning:
      "A rollout or a schedule is paused and starts nothing. As the error of a schedule's run, PAUSED means that the " +
      "run was skipped because the schedule was paused or all schedules were paused.",
    causes: [
      "An operator paused the rollout, the schedule or all schedules.",
      "A rollout has paused after a wave, or needs approval. WHY contains the reason.",
    ],
    remedy:
      "Resume a rollout with `platformctl rollouts resume ROLLOUT`, a schedule with `platformctl schedules resume " +
      "SCHEDULE`, and all schedules with `platformctl schedules resume --all`.",
  },
  WAITING: usual(
    "The service of a rollout waits for its turn, or the run of a schedule waits until the previous run has ended.",
  ),
  STARTING: usual("The run of the schedule is creating its rollout."),
  CHECKING: usual(
    "The rollout's command succeeded, but the server does not know yet whether the service is healthy.",
  ),
  NOT_RUN: {
    meaning: "The rollout did not run the action on the service.",
    causes: [
      "The agent was offline or disabled, or the rollout ended before it was the service's turn.",
    ],
    remedy:
      "Read the reason in ERROR, which is empty if the rollout ended first. Run the action on the remaining services " +
      "with `platformctl rollouts retry ROLLOUT --rest`.",
  },
  SKIPPED: {
    meaning: "The run of the schedule did not happen, or `platform doctor` left out the check.",
    causes: [
      "A run was skipped for the reason in ERROR, which is MISSED, OVERLAP or PAUSED.",
      "A check was not possible, for example because another check failed.",
    ],
    remedy: "If the run is still needed, start it with `platformctl schedules run SCHEDULE`.",
  },
  ENABLED: usual("An enabled schedule runs when it is due. An enabled bus route creates commands."),

  // Commands
  PENDING: usual(
    "The agent has not fetched the command yet. A migration is PENDING if it has not been applied to the database yet.",
    "If a command stays PENDING, check with `platformctl agents get AGENT` whether the agent calls the server.",
  ),
  RUNNING: usual("The command, rollout or run has started, but has not ended."),
  SUCCEEDED: usual("The command, rollout or run has ended without an error."),
  FAILED: {
    meaning:
      "The command, rollout or run has ended with an error. A request for approval is FAILED if it was approved, but the requester may no longer run actions.",
    causes: [
      "The code in ERROR or WHY names the cause. `platformctl explain` also explains that code.",
      "The requester was disabled, deleted or made a viewer, or the requester's API key was revoked or has expired.",
    ],
    remedy:
      "Read the error with `platformctl commands get COMMAND`, `platformctl rollouts get ROLLOUT` or `platformctl " +
      "approvals get REQUEST`.",
  },
  CANCELLED: usual(
    "An operator cancelled the command or rollout before it ended, or a rollout was not approved.",
    "If the command or rollout is still needed, run it again.",
  ),
  ACTION_EXECUTE: usual("The command runs an action."),
  ACTION_PREPARE: usual("The command asks for the form and the current state of an action."),
  STOPPED: {
    meaning:
      "For a cancelled command, STOPPED means that the action was stopped before its end. For an agent, STOPPED means " +
      "that the agent is OFFLINE because its program was shut down properly.",
    causes: ["Somebody cancelled the command, or stopped the agent or its host."],
    remedy: "If the agent should be running, start it again.",
  },
  FINISHED: usual(
    "The command was cancelled, but its action had already finished or failed.",
    "To see the late result, run `platformctl commands get COMMAND`.",
  ),
  NOT_STOPPED: {
    meaning: "The command was cancelled, but the action did not end within 10 s.",
    causes: ["The program or handler of the action ignores the signal to stop."],
    remedy: "Check the service. The action may still be running.",
  },
  UNCONFIRMED: {
    meaning:
      "The command was cancelled, but the agent has not yet reported whether the action was stopped.",
    causes: [
      "The agent has not called since the command was cancelled, or its program is too old to report this.",
    ],
    remedy: "Check the service. The action may still finish.",
  },
  UNKNOWN: {
    meaning:
      "A service is UNKNOWN if its agent reports no health or a status that the server does not know, or if the agent " +
      "has not checked the service since an action. For a cancelled command, UNKNOWN means that nobody knows whether the " +
      "action was stopped. A migration is UNKNOWN if a newer program has applied it.",
    causes: [
      "The service has no health check, or has just run an action, or the agent ended while the command ran.",
    ],
    remedy:
      "If the service has no health check, configure one. If a command was cancelled, check the service.",
  },

  ...fleetStatusGuide,

  // Approvals
  AWAITING_APPROVAL: usual(
    "Approval was requested. Nothing runs until the request has all the approvals that it needs.",
    "Ask somebody else to decide with `platformctl approvals approve REQUEST` or `platformctl approvals reject REQUEST`.",
  ),
  APPROVED: usual("The request was approved."),
  REJECTED: usual(
    "The request was rejected, so what it asked for did not run.",
    "If the circumstances have changed, ask for approval again.",
  ),
  WITHDRAWN: usual(
    "The requester or an owner withdrew the request, or somebody cancelled the rollout that needed approval. What the request asked for did not run.",
  ),
  OUTDATED: {
    meaning:
      "The request for approval ended because the action, rollout or schedule that it was for has changed.",
    causes: [
      "The schedule was changed, paused or deleted, or an owner bypassed the approval.",
      "The service was moved or deleted, or declares the action differently.",
    ],
    remedy: "If approval is still needed, ask for it again.",
  },
  BYPASSED: usual("An owner bypassed the approval with `--break-glass`."),

  // The event bus
  DRY_RUN: usual("The bus route records what it would do, and creates no commands."),
  COMMAND_CREATED: usual("The bus route created a command for the event."),

  // Labels
  ASSIGNED: usual("An owner assigned the label, or put it in the registration token."),
  REPORTED: usual("The agent reports the label."),
  OVERRIDDEN: usual("Another label with the same key applies instead of this label."),
  IGNORED: {
    meaning:
      "The label does not apply: the agent reports it, but only assigned labels with this key count.",
    causes: ["The `operatorLabels` setting contains the key."],
    remedy: "An owner can assign the label with `platformctl agents label AGENT`.",
  },
  SERVICE: usual("The label belongs to the service itself, not to its agent."),

  // The audit trail
  USER: usual("A signed-in user performed the operation recorded by the audit event."),
  API_KEY: usual("A program with an API key performed the operation recorded by the audit event."),
  AGENT: usual(
    "An agent performed the operation recorded by the audit event. For a label, AGENT means that the label belongs to the agent.",
  ),
  SYSTEM: usual("The server itself performed the operation recorded by the audit event."),
  LOCAL: usual("Somebody used `--db` to perform the operation recorded by the audit event."),
  SUCCESS: usual("The operation recorded by the audit event succeeded."),
  FAILURE: {
    meaning:
      "The operation recorded by the audit event failed, or a check of `platform doctor` or `platform agent check` found a problem.",
    causes: [
      "A call, a command, a rollout or a run of a schedule has failed, or the server has detected damage.",
    ],
    remedy: "Read the details. An audit event contains the reason, and a check suggests a remedy.",
  },
  DENIED: {
    meaning: "The server refused the call or a part of it, because the caller has no permission.",
    causes: [
      "The role of the caller is too low, or a password or token is wrong.",
      "An agent reported a service of another agent, or published an event for such a service.",
      "A policy requires approval.",
    ],
    remedy: "If a user should have the permission, give the user a higher role.",
  },
  APPROVE: usual("The approver approved the request."),
  REJECT: usual("The approver rejected the request."),
  SOUND: usual("Verification has found no change to the audit trail or the database."),
  BROKEN: {
    meaning: "The audit trail fails verification: somebody has changed it, or rows are missing.",
    causes: ["Somebody edited the database by hand, or reset it to an older state."],
    remedy:
      "Make a copy of the database as evidence, and follow the guide that `platform docs guides/audit` prints.",
  },
  FOUND: usual("The audit trail contains the row that the given anchor names."),
  MISSING: {
    meaning: "The audit trail does not contain the row that the given anchor names.",
    causes: [
      "The database was replaced or reset to an older state, or the audit trail was changed.",
    ],
    remedy: "Follow the guide that `platform docs guides/audit` prints.",
  },
  PRUNED: usual(
    "The anchor names a row that was pruned from the audit trail, so the anchor cannot be checked.",
  ),
  NOT_REACHED: usual(
    "The audit trail is broken at a row before the anchor, so the anchor could not be checked.",
  ),

  // The server
  UP: usual("The service works, or the server or a part of the server works."),
  DEGRADED: {
    meaning: "The server or service works, but something is wrong.",
    causes: [
      "The database is slow, confirmed changes are lost, or the audit trail was changed. The service's health check may also report this status.",
    ],
    remedy:
      "To see why a server has this status, run `platformctl health`. For a service, read its health message.",
  },
  DOWN: {
    meaning: "The server or service does not work.",
    causes: ["The database cannot be read or written, or the service's health check failed."],
    remedy:
      "To see why a server has this status, run `platformctl health`. For a service, read its health message.",
  },
  STOPPING: usual("The server is shutting down."),
  PROGRAM_TOO_OLD: {
    meaning: "The program of this server is too old for the database.",
    causes: ["A newer program changed the schema of the database."],
    remedy: "Upgrade the server.",
  },
  OK: usual("The check of `platform doctor` or `platform agent check` found no problem."),
  WARNING: {
    meaning:
      "The check of `platform doctor` or `platform agent check` found something that could become a problem.",
    causes: ["The text next to WARNING in the output says what the check found."],
    remedy: "Follow the advice in that text.",
  },
  APPLIED: usual("The migration was applied to the database."),
  CHANGED: {
    meaning:
      "The migration was applied to the database in a form that differs from the migration in this program.",
    causes: ["Another build of the program migrated the database."],
    remedy: "Use the build of the program that migrated the database.",
  },

  // The credential of an agent
  REGISTRATION_TOKEN: usual("The credential that was checked is a registration token."),
  AGENT_TOKEN: usual("The credential that was checked is the token of a registered agent."),
} as const satisfies Readonly<Record<Status, ErrorGuide>> & Readonly<Record<string, ErrorGuide>>;
