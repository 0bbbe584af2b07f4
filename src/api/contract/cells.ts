// Computes the table cells that show more than the value of one field. A field is undefined if the
// server is too old to send it.

import type { DeclaredIn } from "../../domain/declarations.ts";
import type { Cause } from "../../domain/fleet/attention.ts";
import { clockText, isClockOff, shownSkewMs } from "../../domain/fleet/clock-skew.ts";
import type { LeftOutCounts } from "../../domain/rollouts/rollouts.ts";
import { counted } from "../../lib/counted.ts";
import { formatDuration } from "../../lib/duration.ts";

type Text = string | null | undefined;

/** Does not say which of the two clocks is wrong, because nobody knows. */
function differsFromServer(skewMs: number): string {
  return `clock differs by ${formatDuration(shownSkewMs(skewMs) / 1000)} from the server's`;
}

/** Returns `agent offline` for `AGENT_OFFLINE`. */
function inWords(code: string): string {
  return code.toLowerCase().replaceAll("_", " ");
}

/** Returns `3 left out: 2 agent offline, 1 payload invalid`, or null if there are none. */
export function leftOutText(leftOut: LeftOutCounts | null | undefined): string | null {
  if (!leftOut?.total) return null;
  const [first, ...others] = leftOut.reasons;
  const why =
    others.length === 0
      ? inWords(first?.code ?? "")
      : leftOut.reasons.map(({ code, count }) => `${count} ${inWords(code)}`).join(", ");
  return `${leftOut.total} left out: ${why}`;
}

/** The words for states of services, in the order in which a rollout's progress names them. */
const progressWords = {
  SUCCEEDED: "succeeded",
  FAILED: "failed",
  RUNNING: "running",
  CHECKING: "not healthy yet",
  WAITING: "waiting",
  NOT_RUN: "not run",
};

/** Why a service has a problem, by `Cause`. */
export const causeTexts: Readonly<Record<string, string>> = {
  HEALTH: "without a message",
  CHANGES: "the health keeps changing",
  NOT_REPORTED: "the agent still calls the server, but has stopped reporting the service",
  NOT_REPORTED_YET: "the service was moved to an agent that does not report it yet",
  AGENT_SILENT: "the agent does not call the server",
  AGENT_STOPPED: "the agent was stopped",
  AGENT_WITHOUT_TOKEN: "the agent has no valid token",
  AGENT_DISABLED: "the agent is disabled",
} satisfies Record<Cause, string>;

interface RolloutWave {
  wave: number;
  waveCount: number;
  stateReason: string | null;
}

export const cells = {
  /** `key=value key=value`, as in selectors */
  labels: ({ labels }: { labels?: Record<string, string> }): Text =>
    Object.entries(labels ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .join(" "),

  features: ({ features }: { features?: readonly string[] }): Text => features?.join(" "),

  /** `2 of 3`, or `1 of 3 done` while the rollout is paused between two waves */
  rolloutWave: ({ wave, waveCount, stateReason }: RolloutWave): Text =>
    stateReason === "WAVE_ENDED" ? `${wave - 1} of ${waveCount} done` : `${wave} of ${waveCount}`,

  /** `13 succeeded, 1 failed, 4 running, 22 waiting, 1 left out` */
  rolloutProgress: ({ targets, leftOut }: RolloutCounts): Text => {
    const counts = Object.entries(progressWords).map(([state, word]) => [targets[state], word]);
    const parts = [...counts, [leftOut?.total, "left out"]].filter(([count]) => count);
    return parts.map(([count, word]) => `${count} ${word}`).join(", ");
  },

  /** `too many failures` */
  rolloutWhy: ({ stateReason }: { stateReason: string | null }): Text =>
    stateReason && inWords(stateReason),

  /** Why the agent is OFFLINE, or else that its clock is wrong. DISABLED explains itself. */
  agentTrouble: ({ status, offlineReason, clockSkewMs: skew }: AgentStanding): Text => {
    if (status === "OFFLINE") return offlineReason?.toLowerCase().replace("_", " ");
    return skew != null && isClockOff(skew) ? differsFromServer(skew) : null;
  },

  /** `3h ahead` */
  clock: ({ clockSkewMs: skew }: AgentStanding): Text => (skew == null ? null : clockText(skew)),

  /** The last health message says nothing about a status that does not come from a report. */
  serviceMessage: ({ removedAt, agentCode, healthMessage, statusCause }: ListedService): Text => {
    if (statusCause === "NOT_REPORTED_YET") return `${agentCode} does not report it yet`;
    if (removedAt) return `removed: ${agentCode} no longer manages it`;
    return statusCause ? (causeTexts[statusCause] ?? inWords(statusCause)) : healthMessage;
  },

  tokenState: ({ tokenState }: { tokenState?: string }): Text => tokenState?.toLowerCase(),

  tokenScope: ({ agentCode, replace }: { agentCode: string | null; replace: boolean }): Text => {
    const agents = agentCode ?? "any agent";
    return replace ? `${agents}, replacing it` : agents;
  },

  /** Of a deleted agent, only the id is known. */
  tokenAgent: ({ agent, usedByAgentId }: TokenUse): Text => agent?.code ?? usedByAgentId,

  keyOwner: ({ user }: { user: KeyOwner | null }): Text => {
    if (!user) return null;
    const name = user.username ?? user.id;
    return user.status === "ACTIVE" ? name : `${name} (${user.status})`;
  },

  commandSummary: (command: { action: string; serviceCode: string; status: string }): Text =>
    `${command.action} on ${command.serviceCode}, ${command.status}`,

  commandMaker: ({ source: { kind, name } }: { source: CommandSource }): Text => {
    if (kind === "bus") return name ? `route ${name}` : "bus";
    if (kind === "schedule") return name ? `schedule ${name}` : kind;
    return name ?? kind;
  },

  commandDuration: ({ durationMs }: { durationMs: number | null }): Text => {
    if (durationMs === null) return null;
    return durationMs < 1000 ? `${durationMs}ms` : `${(durationMs / 1000).toFixed(1)}s`;
  },

  /** `status=OFFLINE sort=-name` */
  viewQuery: ({ query }: { query: Record<string, string> }): Text =>
    Object.entries(query)
      .map(([name, value]) => `${name}=${value}`)
      .join(" "),

  viewAudience: ({ shared }: { shared: boolean }): Text => (shared ? "everyone" : "you"),

  /** `services, for everyone` */
  viewAbout: ({ noun, shared }: { noun: string; shared: boolean }): Text =>
    `${noun}, for ${shared ? "everyone" : "you"}`,

  /** `deploy/all.yaml (set default)` */
  declaredIn: ({ declaredIn }: { declaredIn?: DeclaredIn | null }): Text => {
    if (!declaredIn) return null;
    const { set, file } = declaredIn;
    return file === null ? `set ${set}` : `${file} (set ${set})`;
  },

  routeTarget: ({ target }: { target: { serviceCode: string; action: string } }): Text =>
    `${target.serviceCode} ${target.action}`,

  /** The cron expression with its time zone, or `every 6h` */
  scheduleTiming: ({ cron, everySeconds, timezone }: ScheduleTiming): Text =>
    cron === undefined ? `every ${formatDuration(everySeconds ?? 0)}` : `${cron} (${timezone})`,

  /** `billing restart`, or `restart in a rollout` */
  scheduleTarget: ({ target }: { target: Record<string, unknown> }): Text =>
    target.kind === "action"
      ? `${target.service} ${target.action}`
      : `${target.action} in a rollout`,

  /** Why an enabled schedule does not run. */
  scheduleObstacle: ({ allPaused, approvalState }: ScheduleObstacle): Text => {
    if (allPaused) return "all schedules are paused";
    return approvalState && inWords(approvalState);
  },

  /** For example `delete, at least HIGH, env=prod` */
  policyRule: ({ action, dangerLevel, selector }: PolicyScope): Text =>
    [action, dangerLevel && `at least ${dangerLevel}`, selector].filter(Boolean).join(", ") ||
    "everything",

  /** `any owner`, or names */
  policyApprovers: ({ approvers }: { approvers: PolicyApprovers }): Text =>
    "role" in approvers ? `any ${approvers.role}` : approvers.users.join(", "),

  policyExpiry: ({ expiresAfterSeconds }: { expiresAfterSeconds: number }): Text =>
    formatDuration(expiresAfterSeconds),

  /** For example `2 commands succeeded, 1 route failed`. */
  eventOutcome: ({ routes }: { routes: readonly EventMatch[] }): Text => {
    const parts = [...Map.groupBy(routes, outcomeOf)].map(([kind, { length }]) =>
      counted(length, kind, many(kind)),
    );
    return parts.join(", ") || "no route";
  },

  eventSummary: ({ type, source }: { type: string; source: string }): Text =>
    `${type} of ${source}`,
};

interface RolloutCounts {
  total: number;
  targets: Record<string, number>;
  leftOut?: LeftOutCounts | null;
}

interface AgentStanding {
  status: string;
  offlineReason: string | null;
  clockSkewMs?: number | null;
}

interface ListedService {
  agentCode: string;
  healthMessage: string | null;
  removedAt?: string | null;
  statusCause?: string | null;
}

interface TokenUse {
  agent?: { code: string } | null;
  usedByAgentId: string | null;
}

interface KeyOwner {
  id: string;
  username: string | null;
  status: string;
}

interface CommandSource {
  kind: string;
  name?: string | null | undefined;
}

interface ScheduleTiming {
  cron?: string | undefined;
  everySeconds?: number | undefined;
  timezone: string;
}

interface ScheduleObstacle {
  allPaused: boolean;
  approvalState: string | null;
}

interface PolicyScope {
  action: string | null;
  dangerLevel: string | null;
  selector: string | null;
}

type PolicyApprovers = { role: string } | { users: readonly string[] };

interface EventMatch {
  outcome: string;
  commandStatus?: string | null | undefined;
}

function outcomeOf({ outcome, commandStatus }: EventMatch): string {
  if (outcome === "DRY_RUN") return "dry run";
  if (outcome === "FAILED") return "route failed";
  return commandStatus ? `command ${commandStatus.toLowerCase()}` : "command";
}

function many(kind: string): string {
  return kind.replace(/^(command|route|dry run)/, "$1s");
}

export type CellName = keyof typeof cells;

/** The cells that can be computed from a row's fields. */
export type CellFor<Row> = {
  [Name in CellName]: Row extends Parameters<(typeof cells)[Name]>[0] ? Name : never;
}[CellName];

/** A field of a row, a nested field (`user.username`), or a cell. */
export type ValueSource = string | { cell: CellName };

/** Whether the row has one of the listed values in each of these fields. */
export function fits(
  row: object,
  wanted: Readonly<Record<string, readonly string[]>> = {},
): boolean {
  return Object.entries(wanted).every(([field, values]) =>
    values.includes(String(valueIn(row, field))),
  );
}

export function valueIn(row: object, source: ValueSource): unknown {
  if (typeof source === "object") return (cells[source.cell] as (row: object) => Text)(row);
  let value: unknown = row;
  for (const key of source.split(".")) value = (value as Record<string, unknown> | null)?.[key];
  return value;
}
