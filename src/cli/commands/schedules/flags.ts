// The flags of `schedules create`, `update` and `preview`, which set fields of a schedule.

import type { Client } from "../../../client/client.ts";
import { AppError } from "../../../domain/errors.ts";
import { isJsonObject, type JsonObject } from "../../../domain/payload/json.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { getNamed } from "../../names/resolve.ts";
import { parseTime } from "../../output/moments.ts";
import { applySettings, checkSettings, readPayload, readSettings } from "../actions/payload.ts";
import { type Request, requirePayload, requireValues, withSettings } from "../rollouts/declared.ts";

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
  if (!changesTarget(flags)) return named;
  const { service, action, set, payload, reason } = flags;
  const before = isJsonObject(rule.target ?? null)
    ? (rule.target as JsonObject)
    : { kind: "action" };
  if (before.kind === "rollout" && service !== undefined) {
    throw usageError("--service: this schedule runs a rollout; use -f FILE or schedules edit.");
  }
  const target: JsonObject = { ...before };
  if (service !== undefined) target.service = (await getNamed(api, "services", service)).code;
  if (action !== undefined) target.action = action;
  if (reason !== undefined) target.reason = reason;
  const stored = isJsonObject(target.payload ?? null) ? (target.payload as JsonObject) : {};
  const whole = payload === undefined ? stored : await readPayload(io, payload, signal);
  const settings = readSettings(set ?? []);
  if (target.kind === "rollout") {
    const request = { ...rolloutOf(target), payload: whole };
    const settled = await unlessRefused(withSettings({ io, options: { set } }, api, request));
    target.payload = settled?.payload ?? applySettings(whole, settings, {});
    return { ...named, target };
  }
  const schemas = await schemasOf(api, target);
  checkSettings({ io, action: { name: String(target.action) } }, whole, settings, schemas);
  target.payload = applySettings(whole, settings, schemas[0] ?? {});
  return { ...named, target };
}

export function changesTarget({ service, action, set, payload, reason }: ScheduleFlags): boolean {
  return [service, action, set, payload, reason].some((flag) => flag !== undefined);
}

/**
 * Throws an error that names the flags for the values that are missing in the payload: no run could
 * start without them.
 */
export async function requireTargetValues(api: Client, { target }: JsonObject): Promise<void> {
  if (!isJsonObject(target ?? null)) return;
  const given = target as JsonObject;
  const payload = (given.payload ?? {}) as JsonObject;
  if (given.kind === "rollout") {
    const request = rolloutOf(given);
    const preview = await unlessRefused(api.call("rollouts.preview", { body: request }));
    if (preview) await requirePayload(api, request, preview);
  }
  if (given.kind !== "action") return;
  for (const schema of await schemasOf(api, given)) await requireValues(schema, payload);
}

function rolloutOf({ kind: _, ...request }: JsonObject): Request {
  return request as unknown as Request;
}

/** Returns the schema of the action, or nothing if it is not declared yet. */
async function schemasOf(api: Client, { service, action }: JsonObject): Promise<JsonObject[]> {
  if (typeof service !== "string") return [];
  const found = await unlessRefused(api.call("services.get", { params: { serviceId: service } }));
  const actions = found?.actions.filter(({ name }) => name === action) ?? [];
  return actions.map(({ inputSchema }) => inputSchema);
}

/** Returns null if the server refuses the call: it also refuses to save, with a better message. */
async function unlessRefused<T>(call: Promise<T>): Promise<T | null> {
  return call.catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
}
