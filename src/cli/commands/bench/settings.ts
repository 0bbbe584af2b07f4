// Reads the flags of `platform bench`.

import type { Options } from "../../command.ts";
import { usageError } from "../../exit.ts";

export interface BenchSettings {
  agents: number;
  durationSeconds: number;
  actionsPerSecond: number;
  eventsPerSecond: number;
  /** Null for the default, which depends on the limits of this host. */
  processes: number | null;
  amongOthers: boolean;
  clean: boolean;
  htmlFile: string | null;
}

const mostAgents = 1_000_000;

export function settingsOf(options: Options): BenchSettings {
  const given = options as Options & { agents: number; duration: number; processes?: number };
  const { agents, duration, processes = null } = given;
  if (agents < 1 || agents > mostAgents) {
    throw usageError(`--agents: use a number from 1 to ${mostAgents}.`);
  }
  if (duration < 1) throw usageError("--duration: use at least 1s.");
  if (processes !== null && (processes < 1 || processes > agents)) {
    throw usageError(`--processes: use a number from 1 to the number of agents, ${agents}.`);
  }
  return {
    agents,
    durationSeconds: duration,
    actionsPerSecond: rateOf("--actions", options.actions) ?? defaultActions(agents),
    eventsPerSecond: rateOf("--events", options.events) ?? 0,
    processes,
    amongOthers: options.amongOthers === true,
    clean: options.clean === true,
    htmlFile: (options.html as string | undefined) ?? null,
  };
}

function defaultActions(agents: number): number {
  return Math.min(50, Math.max(1, Math.round(agents / 100)));
}

function rateOf(flag: string, text: unknown): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(String(text))) {
    throw usageError(`${flag}: use a number of times per second, such as 20 or 0.5.`);
  }
  return Number(text);
}
