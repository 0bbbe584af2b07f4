// The measurement itself: registers the agents, waits until all are connected, and applies the
// load.

import { setTimeout as pause } from "node:timers/promises";
import type { Client } from "../../../client/client.ts";
import type { Progress } from "../../terminal/progress.ts";
import { LimitFinder } from "./limit-finder.ts";
import { type LiveFacts, liveLine, requestRate } from "./live-line.ts";
import type { LoadPlan } from "./load/messages.ts";
import type { LoadProcesses } from "./load-processes.ts";
import { Outages } from "./outages.ts";
import type { ServerState } from "./preflight.ts";
import type { Measurement } from "./report.ts";
import { type ServerUse, ServerWatch } from "./server-watch.ts";
import type { BenchSettings } from "./settings.ts";

export interface Measuring {
  run: string;
  client: Client;
  settings: BenchSettings;
  ground: ServerState;
  crew: LoadProcesses;
  progress: Progress;
  /**
   * An abort ends the measurement early. If the load has not begun yet, the measurement rejects
   * with the signal's reason.
   */
  signal: AbortSignal;
}

const lookMs = 250;
const idleMs = 1000;
/** How long the numbers of registered and connected agents may stay the same. */
const patienceMs = 60_000;

export async function measure(measuring: Measuring): Promise<Measurement> {
  const { client, crew, ground, progress, run, settings } = measuring;
  const freeBytes = process.availableMemory();
  const watch = new ServerWatch(client);
  progress.say("measuring the idle server");
  const idle = await idleUse(watch, measuring.signal);
  progress.say(`starting ${ground.processes} load processes`);
  await crew.start(ground.processes);
  const watching = watch.readUntilEnd();
  try {
    const times = await holdAll(measuring, watch);
    const load = await applyLoad(measuring, watch);
    const { busy, size } = crew;
    const { residentBytes } = crew.state;
    return {
      run,
      settings,
      ground,
      idle,
      freeBytes: freeBytes + idle.residentBytes,
      ...times,
      ...load,
      generator: { cpuShare: load.cpuShare, busiest: busy, residentBytes, processes: size },
    };
  } finally {
    watch.end();
    await watching;
  }
}

async function idleUse(watch: ServerWatch, signal: AbortSignal): Promise<ServerUse> {
  await watch.read();
  await pause(idleMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  await watch.read();
  return watch.use as ServerUse;
}

/** Resolves when every agent has an open long poll. */
async function holdAll(measuring: Measuring, watch: ServerWatch) {
  const { crew, settings, signal } = measuring;
  crew.register(plansOf(measuring));
  const started = performance.now();
  const secondsSince = () => Number(((performance.now() - started) / 1000).toFixed(3));
  const show = liveDisplay(measuring, watch);
  let registerSeconds: number | null = null;
  let best = 0;
  let bestAt = started;
  while (crew.state.held < settings.agents) {
    signal.throwIfAborted();
    const { held, registered } = crew.state;
    if (registered >= settings.agents) registerSeconds ??= secondsSince();
    if (registered + held > best) {
      best = registered + held;
      bestAt = performance.now();
    }
    if (performance.now() - bestAt > patienceMs) throw notAllHeld(measuring);
    show();
    await Promise.race([pause(lookMs / 5), crew.failure]);
  }
  const holdAllSeconds = secondsSince();
  return { registerSeconds: registerSeconds ?? holdAllSeconds, holdAllSeconds };
}

function notAllHeld({ crew, settings }: Measuring): Error {
  const { held, registered } = crew.state;
  const errors = Object.entries(crew.tally.errors).map(([kind, count]) => `${count} × ${kind}`);
  return new Error(
    `of ${settings.agents} agents, ${registered} are registered and ${held} connected, and these numbers have not grown for ${patienceMs / 1000} s. Errors: ${errors.join(", ") || "none"}.`,
  );
}

async function applyLoad(measuring: Measuring, watch: ServerWatch) {
  const { crew, settings, signal } = measuring;
  crew.forget();
  watch.forget();
  crew.work();
  const cpuBefore = crew.state.cpuSeconds;
  const started = performance.now();
  const outages = new Outages(settings.agents);
  const first = new LimitFinder();
  const show = liveDisplay(measuring, watch);
  let looks = 0;
  while (performance.now() - started < settings.durationSeconds * 1000 && !signal.aborted) {
    const atSeconds = Number(((performance.now() - started) / 1000).toFixed(1));
    outages.observe(atSeconds, crew.state.held);
    if (looks++ % 4 === 0) {
      const { counts, errors } = crew.tally;
      first.observe({
        atSeconds,
        errors,
        serverCpuShare: watch.recent?.cpuShare ?? null,
        generatorBusy: crew.recentBusy,
        works: counts.actions + counts.events,
      });
    }
    show();
    const waiting = pause(lookMs, undefined, { signal }).catch(() => undefined);
    await Promise.race([waiting, crew.failure]);
  }
  const seconds = (performance.now() - started) / 1000;
  await watch.read().catch(() => undefined);
  return {
    seconds,
    interrupted: signal.aborted,
    held: crew.state.held,
    heldByServer: watch.use?.heldPolls ?? null,
    tally: crew.tally,
    use: watch.use,
    cpuShare: (crew.state.cpuSeconds - cpuBefore) / seconds,
    outages: outages.list,
    gaveOut: first.result,
  };
}

function plansOf({ ground, run, settings }: Measuring): LoadPlan[] {
  const { destination, processes, requestsPerSecond } = ground;
  const { ca, credential, url } = destination;
  const place = {
    url,
    ca,
    ...(credential.kind === "apiKey" ? { bearer: credential.key } : {}),
    ...(credential.kind === "session" ? { session: credential.session } : {}),
  };
  return Array.from({ length: processes }, (_, index) => {
    const from = Math.floor((settings.agents * index) / processes);
    const end = Math.floor((settings.agents * (index + 1)) / processes);
    return {
      place,
      run,
      from: from + 1,
      agents: end - from,
      actionsPerSecond: settings.actionsPerSecond / processes,
      eventsPerSecond: settings.eventsPerSecond / processes,
      tokensPerSecond: requestsPerSecond === null ? null : requestsPerSecond / processes,
    };
  });
}

function liveDisplay({ crew, progress, settings }: Measuring, watch: ServerWatch): () => void {
  const rateOf = requestRate();
  return () => {
    const facts: LiveFacts = {
      wanted: settings.agents,
      ...crew.state,
      tally: crew.tally,
      requestsPerSecond: rateOf(crew.tally, performance.now()),
      server: watch.recent,
    };
    progress.say(liveLine(facts));
  };
}
