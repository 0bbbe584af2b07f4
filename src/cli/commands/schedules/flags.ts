// The flags of `schedules create`, `update` and `preview`, which set fields of a schedule.

import type { Client } from "../../../client/client.ts";
import { isJsonObject, type JsonObject } from "../../../domain/payload/json.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { getNamed } from "../../names/resolve.ts";
import { parseTime } from "../../output/moments.ts";
import { applySettings, readPayload, readSettings } from "../actions/payload.ts";

export interface TimingFlags {
  cron?: string;
  every?: number;
  timezone?: string;
  until?: string;
}

export interface ScheduleFlags extends TimingFlags {
  name?: string;
  file?: string;
  description?: string;
  paused?: boolean;
  service?: string;
  action?: string;
  set?: string[];
  payload?: string;
  reason?: string;
  missed?: string;
  overlap?: string;
}

/** Cron replaces an interval, and an interval replaces cron. Throws usage errors. */
export function withTiming(rule: JsonObject, flags: TimingFlags): JsonObject {
  const { cron, every, timezone, until } = flags;
  if (cron !== undefined && every !== undefined)
    throw usageError("give --cron or --every, not both.");
  const { cron: oldCron, everySeconds: oldEvery, ...rest } = rule;
  const before = {
    ...(oldCron === undefined ? {} : { cron: oldCron }),
    ...(oldEvery === undefined ? {} : { everySeconds: oldEvery }),
  };
  const replaced =
    cron === undefined ? (every === undefined ? before : { everySeconds: every }) : { cron };
  const timed = { ...rest, ...replaced, ...(timezone === undefined ? {} : { timezone }) };
  return until === undefined ? timed : withUntil(timed, until);
}

function withUntil({ until: _, ...rule }: JsonObject, text: string): JsonObject {
  if (text === "never") return rule;
  const until = parseTime(text);
  if (until !== null) return { ...rule, until };
  throw usageError(`--until must be a time such as 2026-12-31T08:00:00Z, or never, not ${text}.`);
}

/** Returns the rule, changed by the flags. Throws usage errors, and SERVICE_NOT_FOUND. */
export async function withFlags(
  { io, signal }: Invocation,
  api: Client,
  rule: JsonObject,
  flags: ScheduleFlags,
): Promise<JsonObject> {
  const { name, description, missed, overlap, paused } = flags;
  const given = { name, description, missed, overlap, state: paused ? "PAUSED" : undefined };
  const known = Object.entries(given).filter(([, value]) => value !== undefined);
  const named = { ...withTiming(rule, flags), ...Object.fromEntries(known) } as JsonObject;
  const { service, action, set, payload, reason } = flags;
  if ([service, action, set, payload, reason].every((flag) => flag === undefined)) return named;
  const before = isJsonObject(rule.target ?? null)
    ? (rule.target as JsonObject)
    : { kind: "action" };
  if (before.kind === "rollout" && service !== undefined) {
    throw usageError("--service: this schedule runs a rollout; use -f FILE or schedules edit.");
  }
  const target: JsonObject = { ...before };
  const found = service === undefined ? null : await findService(api, service);
  if (found) target.service = found.code;
  if (action !== undefined) target.action = action;
  if (reason !== undefined) target.reason = reason;
  const stored = isJsonObject(target.payload ?? null) ? (target.payload as JsonObject) : {};
  const whole = payload === undefined ? stored : await readPayload(io, payload, signal);
  const declared = found?.actions.find((known) => known.name === target.action);
  target.payload = applySettings(whole, readSettings(set ?? []), declared?.inputSchema ?? {});
  return { ...named, target };
}

function findService(api: Client, text: string) {
  return getNamed(api, "services", text);
}
