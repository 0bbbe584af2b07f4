// The report on a service, made from what the program says about it.
// (`service.md` "Reported service", "Action catalog entry"; `decisions.md` 2)

import type { Routes } from "../api/index.ts";
import type { BodyInput } from "../api/route.ts";
import { messageOf } from "./errors.ts";
import type { Action, ActionEntry, ConfigEntry, Health, Live, Service } from "./services.ts";

export type ReportedService = BodyInput<Routes["agent.report"]>["services"][number];

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
