// The flags of `schedules create`, `update` and `preview`, which set fields of a schedule.

import type { Client } from "../../../client/client.ts";
import { AppError } from "../../../domain/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../domain/payload/json.ts";
import { parseTime } from "../../../lib/moments.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { getNamed } from "../../names/resolve.ts";
import { noteLine } from "../../terminal/notes.ts";
import { applyAsBefore, applySettings, readPayload, readSettings } from "../actions/payload.ts";
import { previewWithSettings, type Request } from "../rollouts/declared.ts";

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

/**
 * Returns the rule, changed by the flags. Values of `--set` get their types from the `earlier`
 * payload, if there is one, and otherwise from the services' schemas. Throws SERVICE_NOT_FOUND, and
 * usage errors, for example if no run could start because a value is missing.
 */
export async function withFlags(
  invocation: Invocation,
  api: Client,
  rule: JsonObject,
  flags: ScheduleFlags,
  earlier?: Json,
): Promise<JsonObject> {
  const { name, description, missed, overlap, paused, file } = flags;
  const given = { name, description, missed, overlap, state: paused ? "PAUSED" : undefined };
  const named = { ...withTiming(rule, flags), ...known(given) };
  const { service, action, set, payload, reason } = flags;
  const changes = [service, action, set, payload].some((flag) => flag !== undefined);
  const before = rule.target ?? (changes ? { kind: "action" } : null);
  // If the target is not an object, the server's error says so and names the line.
  if (!isJsonObject(before)) return named;
  if (changes || file !== undefined) {
    return { ...named, target: await targetWith(invocation, api, before, flags, earlier) };
  }
  return reason === undefined ? named : { ...named, target: { ...before, reason } };
}

function known(fields: Record<string, string | undefined>): JsonObject {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as JsonObject;
}

async function targetWith(
  { io, options, signal }: Invocation,
  api: Client,
  before: JsonObject,
  { service, action, set = [], payload: source, reason }: ScheduleFlags,
  earlier: Json | undefined,
): Promise<JsonObject> {
  if (before.kind === "rollout" && service !== undefined) {
    throw usageError("--service: this schedule runs a rollout; use -f FILE or schedules edit.");
  }
  const found = service === undefined ? null : await getNamed(api, "services", service);
  const target: JsonObject = { ...before, ...known({ service: found?.code, action, reason }) };
  const { payload: stored = {} } = target;
  const payload = source === undefined ? stored : await readPayload(io, source, signal);
  // If the payload is not an object, the server's error says so and names the line.
  if (!isJsonObject(payload)) return target;
  const settings = readSettings(set);
  if (earlier) return { ...target, payload: applyAsBefore(payload, settings, earlier) };
  const preview = previewWithSettings(api, requestOf({ ...target, payload }), {
    ...{ io, options, settings, advice },
  });
  const seen = await preview.catch(leaveToServer);
  if (seen) return { ...target, payload: seen.request.payload ?? payload };
  if (settings.length > 0) {
    const text = "warning: the form of the action was not found, so --set was read without it.";
    noteLine(io, options, "FORM_NOT_FOUND", text);
  }
  return { ...target, payload: applySettings(payload, settings, {}) };
}

const advice = "Give the payload as JSON: --payload, or payloadByService in a file.";

/**
 * Treats an action as a rollout on one service. Leaves out `canary`, because its label may not be
 * on any service yet.
 */
function requestOf({ kind, service, canary: _, ...target }: JsonObject): Request {
  const { action, payload } = target;
  const request = kind === "rollout" ? target : { action, payload, services: [service] };
  return request as unknown as Request;
}

/** The server saves a target that does not exist, with a warning, and refuses an invalid one. */
function leaveToServer(error: unknown): null {
  const codes: unknown[] = ["SERVICE_NOT_FOUND", "AGENT_NOT_FOUND", "VALIDATION_FAILED"];
  if (error instanceof AppError && codes.includes(error.code)) return null;
  throw error;
}
