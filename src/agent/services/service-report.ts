import type { BodyInput } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import { withoutSensitiveValue } from "../../domain/fleet/services.ts";
import { cutText } from "../../lib/cut-text.ts";
import { orAborted, withTimeLimit } from "../../lib/time-limit.ts";
import { messageOf } from "../connection/errors.ts";
import type { Action, Live, Service } from "./services.ts";

export type ReportedService = BodyInput<Routes["agent.report"]>["services"][number];
type ReportedAction = NonNullable<ReportedService["actions"]>[number];

/** The time limit for each of the program's functions. */
const askMs = 10_000;
const maxMessage = 500;

/**
 * If `health` throws or takes more than 10 s, the service is DOWN. The health message is cut to 500
 * characters. If another function throws or takes too long, rejects with an Error that names that
 * function. After an abort, rejects with the signal's reason.
 */
export async function reportOf(service: Service, signal: AbortSignal): Promise<ReportedService> {
  const { code, version, manifest, configs } = service;
  const [health, currentVersion, currentManifest, currentConfigs] = await Promise.all([
    healthOf(service, signal),
    partOf(`version of ${code}`, version, signal),
    partOf(`manifest of ${code}`, manifest, signal),
    partOf(`list of configs of ${code}`, configs, signal),
  ]);
  const current: Service = {
    ...service,
    version: currentVersion,
    ...(currentManifest === undefined ? {} : { manifest: currentManifest }),
    configs: currentConfigs ?? [],
  };
  return { ...fixedPartOf(current), ...(health === undefined ? {} : { health }) };
}

/** Returns the part of a service that can be checked without calling its functions. */
export function fixedPartOf(service: Service): ReportedService {
  const { version, manifest, configs, health: _, ...rest } = service;
  return {
    ...rest,
    version: typeof version === "function" ? "not read yet" : version,
    ...(manifest === undefined || typeof manifest === "function" ? {} : { manifest }),
    configs: typeof configs === "function" ? [] : (configs ?? []).map(withoutSensitiveValue),
    actions: (service.actions ?? []).map(catalogEntry),
  };
}

/** `prepare: false` saves the server a prepare command. */
function catalogEntry({ prepare, execute: _execute, ...entry }: Action): ReportedAction {
  return prepare === undefined ? { ...entry, prepare: false } : entry;
}

async function healthOf(
  { health }: Service,
  signal: AbortSignal,
): Promise<ReportedService["health"]> {
  if (health === undefined) return undefined;
  try {
    const current = await read(health, signal);
    if (typeof current === "string") return { status: current };
    if (typeof current?.message !== "string") return current;
    return { ...current, message: cutText(current.message, maxMessage) };
  } catch (error) {
    signal.throwIfAborted();
    return { status: "DOWN", message: cutText(messageOf(error), maxMessage) };
  }
}

async function partOf<T>(what: string, value: Live<T>, signal: AbortSignal): Promise<T> {
  try {
    return await read(value, signal);
  } catch (error) {
    signal.throwIfAborted();
    const message = `cannot get the ${what}: ${messageOf(error)}`;
    throw new Error(message, { cause: error });
  }
}

/** The program's function may hang and ignore the signal. */
async function read<T>(value: Live<T>, signal: AbortSignal): Promise<T> {
  if (typeof value !== "function") return value;
  const call = async (ended: AbortSignal) =>
    (value as (signal: AbortSignal) => T | Promise<T>)(ended);
  return withTimeLimit(askMs, signal, (ended) => orAborted(call(ended), ended));
}
