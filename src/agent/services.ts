// The services that an agent manages, as the program describes them, and the report made from that.
// (`service.md` "Reported service", "Action catalog entry"; `decisions.md` 2)

import type { Routes } from "../api/index.ts";
import type { BodyInput } from "../api/route.ts";
import type { Json, JsonObject } from "../domain/json.ts";
import type { DeliveredCommand } from "./commands.ts";
import { messageOf } from "./errors.ts";

type ReportBody = BodyInput<Routes["agent.report"]>;
export type ReportedService = ReportBody["services"][number];
type ActionEntry = NonNullable<ReportedService["actions"]>[number];
/** `{ key, type, label?, source?, editable?, sensitive?, valuePreview?, defaultValue?, secretRef? }` */
export type ConfigEntry = NonNullable<ReportedService["configs"]>[number];

/** A value, or a function that is asked for it before each report; `signal` ends its asking. */
export type Live<T> = T | ((signal: AbortSignal) => T | Promise<T>);

/** `UP`, `DEGRADED`, `DOWN` or any other word; with a sentence and facts for the operator. */
export type Health = string | { status: string; message?: string; details?: Json };

/**
 * A managed service. `code` is unique in the workspace. Without `health` the server shows it as
 * UNKNOWN; a `health` that throws, or takes over 10 s, is reported as DOWN with the reason. The value
 * of a config entry that is `sensitive` never leaves the agent.
 */
export interface Service {
  code: string;
  name: string;
  version: Live<string>;
  description?: string;
  runtime?: Json;
  manifest?: Live<Json>;
  health?: Live<Health>;
  configs?: Live<ConfigEntry[]>;
  actions?: Action[];
}

/**
 * Something an operator can have done: the catalog entry (`name`, `label`, `description`,
 * `dangerLevel`, `requiresConfirmation`, `timeoutSeconds` (1 to 86,400; default 300), `inputSchema`)
 * and the functions that do it.
 */
export interface Action extends ActionEntry {
  /**
   * Answers the form for the operator; what is left out comes from the catalog. It has the action's
   * `timeoutSeconds`, at most 60 s (default 30 s), and must change nothing.
   */
  prepare?(context: ActionContext): Prepared | Promise<Prepared>;
  /**
   * Does it, and answers any JSON for the operator. The payload fits `inputSchema`. Not called again
   * for this service before it has ended. Throw ActionError for an honest failure; whatever else is
   * thrown becomes ACTION_FAILED with its message.
   */
  execute(payload: JsonObject, context: ActionContext): unknown;
}

export interface Prepared {
  inputSchema?: JsonObject;
  initialPayload?: Json;
  currentState?: Json;
}

export interface ActionContext {
  command: DeliveredCommand;
  /**
   * Aborted when the time is over (the command has then failed as ACTION_TIMED_OUT, whatever the
   * handler still does) or when the agent stops: then the handler has a second to end by itself.
   */
  signal: AbortSignal;
  /** Becomes an event `command.log`. */
  log(message: string, fields?: object): void;
}

const healthMs = 10_000;

/** Asks a service for what it knows about itself now. Rejects when anything but its health throws. */
export async function reportOf(service: Service, signal: AbortSignal): Promise<ReportedService> {
  const { version, manifest, configs, health: _, ...rest } = service;
  const [health, currentVersion, currentManifest, currentConfigs] = await Promise.all([
    healthOf(service, signal),
    ask(version, signal),
    ask(manifest, signal),
    ask(configs, signal),
  ]);
  return {
    ...rest,
    version: currentVersion,
    ...(currentManifest === undefined ? {} : { manifest: currentManifest }),
    ...(health === undefined ? {} : { health }),
    configs: (currentConfigs ?? []).map(withoutSecret),
    actions: (service.actions ?? []).map(catalogEntry),
  };
}

/** The part of a service that can be checked before anything is asked of it. */
export function fixedPartOf(service: Service): ReportedService {
  const { version, manifest, configs, health: _, ...rest } = service;
  return {
    ...rest,
    version: typeof version === "function" ? "asked later" : version,
    ...(manifest === undefined || typeof manifest === "function" ? {} : { manifest }),
    configs: typeof configs === "function" ? [] : (configs ?? []).map(withoutSecret),
    actions: (service.actions ?? []).map(catalogEntry),
  };
}

function catalogEntry({ prepare: _prepare, execute: _execute, ...entry }: Action): ActionEntry {
  return entry;
}

function withoutSecret(entry: ConfigEntry): ConfigEntry {
  if (!entry.sensitive) return entry;
  const { valuePreview: _value, defaultValue: _default, ...kept } = entry;
  return kept;
}

async function healthOf(
  { health }: Service,
  signal: AbortSignal,
): Promise<ReportedService["health"]> {
  if (health === undefined) return undefined;
  const tooLong = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Health>((resolve) => {
    const message = `The health check gave no answer within ${healthMs / 1000} s.`;
    timer = setTimeout(() => {
      resolve({ status: "DOWN", message });
      tooLong.abort(new Error(message));
    }, healthMs);
  });
  try {
    const asking = ask(health, AbortSignal.any([signal, tooLong.signal]));
    const answer = await Promise.race([asking, late]);
    return typeof answer === "string" ? { status: answer } : answer;
  } catch (error) {
    return { status: "DOWN", message: messageOf(error).slice(0, 500) };
  } finally {
    clearTimeout(timer);
  }
}

async function ask<T>(value: Live<T>, signal: AbortSignal): Promise<T> {
  if (typeof value !== "function") return value;
  return (value as (signal: AbortSignal) => T | Promise<T>)(signal);
}
