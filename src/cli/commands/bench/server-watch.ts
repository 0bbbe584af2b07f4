// Reads the server's own figures once a second, even across a restart of the server.

import { setTimeout as pause } from "node:timers/promises";
import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";

export type Diagnostics = Reply<"diagnostics.get">;

interface Sample {
  atMs: number;
  diagnostics: Diagnostics;
}

export interface ServerUse {
  /** The CPU seconds per second. 1 is one core. Null without two samples of one process. */
  cpuShare: number | null;
  residentBytes: number;
  heldPolls: number;
  eventLoopDelayP99Ms: number | null;
  /** How often each limit on clients was reached. */
  limitsReached: Record<string, number>;
  restarts: number;
}

const everyMs = 1000;
const timeoutMs = 5000;

export class ServerWatch {
  readonly #client: Client;
  readonly #ending = new AbortController();
  #samples: Sample[] = [];

  constructor(client: Client) {
    this.#client = client;
  }

  async read(): Promise<void> {
    const diagnostics = await this.#client.call("diagnostics.get", {}, { timeoutMs });
    this.#samples.push({ atMs: performance.now(), diagnostics });
  }

  /** A server that does not respond is not an error here. */
  async readUntilEnd(): Promise<void> {
    const { signal } = this.#ending;
    while (!signal.aborted) {
      await this.read().catch(() => undefined);
      await pause(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  end(): void {
    this.#ending.abort();
  }

  /** From now on, `use` covers only the time since the last sample. */
  forget(): void {
    this.#samples = this.#samples.slice(-1);
  }

  /** The use in the last few seconds. */
  get recent(): ServerUse | null {
    return serverUse(this.#samples.slice(-4));
  }

  get use(): ServerUse | null {
    return serverUse(this.#samples);
  }
}

/** A restarted server counts from 0 again, so only samples of one process are compared. */
export function serverUse(samples: readonly Sample[]): ServerUse | null {
  const last = samples.at(-1)?.diagnostics;
  if (!last) return null;
  let cpuSeconds = 0;
  let seconds = 0;
  let restarts = 0;
  const limitsReached: Record<string, number> = {};
  for (const [index, { atMs, diagnostics }] of samples.entries()) {
    const before = samples[index - 1];
    if (!before) continue;
    const isSame = before.diagnostics.clock.startedAt === diagnostics.clock.startedAt;
    if (isSame) {
      cpuSeconds += diagnostics.process.cpuSeconds - before.diagnostics.process.cpuSeconds;
      seconds += (atMs - before.atMs) / 1000;
    } else restarts++;
    for (const [name, count] of Object.entries(diagnostics.limits.reached)) {
      const earlier = isSame ? before.diagnostics.limits.reached : null;
      const more = count - (earlier?.[name as keyof typeof earlier] ?? 0);
      if (more > 0) limitsReached[name] = (limitsReached[name] ?? 0) + more;
    }
  }
  return {
    cpuShare: seconds > 0 ? cpuSeconds / seconds : null,
    residentBytes: last.process.memory.residentBytes,
    heldPolls: last.queues.heldPolls,
    eventLoopDelayP99Ms: last.eventLoopDelay?.p99Ms ?? null,
    limitsReached,
    restarts,
  };
}
