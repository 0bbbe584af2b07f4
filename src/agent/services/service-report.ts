// The report on a service, made from what the program says about it.

import type { BodyInput } from "../../api/contract/route.ts";
import type { Routes } from "../../api/index.ts";
import { cutText } from "../../lib/cut-text.ts";
import { orAborted, withTimeLimit } from "../../lib/time-limit.ts";
import { messageOf } from "../connection/errors.ts";
import type { Action, ConfigEntry, Live, Service } from "./services.ts";

export type ReportedService = BodyInput<Routes["agent.report"]>["services"][number];
type ReportedAction = NonNullable<ReportedService["actions"]>[number];

/** How long a function of the program may take. */
const askMs = 10_000;
const maxMessage = 500;

/**
 * Asks a service for what it knows about itself now. A health that throws or gives no answer within
 * 10 s is DOWN; rejects when anything else does, with an Error that names it, and with the signal's
 * reason as soon as that is aborted.
 */
export async function reportOf(service: Service, signal: AbortSignal): Promise<ReportedService> {
  const { version, manifest, configs, health: _, ...rest } = service;
  const { code } = service;
  const [health, currentVersion, currentManifest, currentConfigs] = await Promise.all([
    healthOf(service, signal),
    partOf(`version of ${code}`, version, signal),
    partOf(`manifest of ${code}`, manifest, signal),
    partOf(`list of configs of ${code}`, configs, signal),
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

/** Without a function that prepares it, the server need not ask. */
function catalogEntry({ prepare, execute: _execute, ...entry }: Action): ReportedAction {
  return prepare === undefined ? { ...entry, prepare: false } : entry;
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
  try {
    const answer = await ask(health, signal);
    return typeof answer === "string" ? { status: answer } : answer;
  } catch (error) {
    signal.throwIfAborted();
    return { status: "DOWN", message: cutText(messageOf(error), maxMessage) };
  }
}

/** `what` tells the operator which part it is when there is no answer. */
async function partOf<T>(what: string, value: Live<T>, signal: AbortSignal): Promise<T> {
  try {
    return await ask(value, signal);
  } catch (error) {
    signal.throwIfAborted();
    const message = `there is no ${what}: ${messageOf(error)}`;
    throw new Error(message, { cause: error });
  }
}

/** A function of the program may never answer, and need not listen to the signal. */
async function ask<T>(value: Live<T>, signal: AbortSignal): Promise<T> {
  if (typeof value !== "function") return value;
  const answer = async (ended: AbortSignal) =>
    (value as (signal: AbortSignal) => T | Promise<T>)(ended);
  return withTimeLimit(askMs, signal, (ended) => orAborted(answer(ended), ended));
}
