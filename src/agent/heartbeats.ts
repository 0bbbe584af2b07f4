// Signs of life, at the interval that the server asks for; each brings the server's clock with it.
// (`decisions.md` 2 "heartbeat")

import type { Client } from "../client/client.ts";
import { isoTime } from "../lib/iso-time.ts";
import { jittered } from "./backoff.ts";
import { pause } from "./bell.ts";
import type { Connection } from "./connection.ts";
import type { AgentDescription } from "./options.ts";

type Described = Pick<AgentDescription, "name" | "version" | "runtime" | "labels">;

/** The server takes less with a heartbeat than with a registration. */
const maxDescriptionLength = 16 * 1024;

export class Heartbeats {
  readonly #connection: Connection;
  readonly #fixedSeconds: number | undefined;
  readonly #onCancelled: (commandIds: readonly string[]) => void;
  #seconds = 30;
  /** Until the server has it: the agent may have registered as an older version of itself. */
  #description: Described | null;

  constructor(
    connection: Connection,
    fixedSeconds: number | undefined,
    onCancelled: (commandIds: readonly string[]) => void,
    { name, version, runtime, labels = {} }: AgentDescription,
  ) {
    const description = { name, version, runtime, labels };
    const isShort = JSON.stringify(description).length <= maxDescriptionLength;
    this.#description = isShort ? description : null;
    this.#connection = connection;
    this.#fixedSeconds = fixedSeconds;
    this.#onCancelled = onCancelled;
  }

  /** One, however long it takes. */
  async beat(): Promise<void> {
    await this.#connection.persist((client, signal) => this.#send(client, signal));
  }

  /** One quick try, for the clock's sake; does not reject. */
  async refreshClock(signal: AbortSignal): Promise<void> {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(5000)]);
    await this.#connection
      .call((client, signal) => this.#send(client, signal), soon)
      .catch(() => {
        // Then the clock stays as it is.
      });
  }

  /** Until the signal is aborted. Rejects only with errors that will not pass. */
  async beatForever(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(jittered((this.#fixedSeconds ?? this.#seconds) * 1000), signal);
      if (!signal.aborted) await this.beat();
    }
  }

  async #send(client: Client, signal: AbortSignal): Promise<void> {
    const sentAt = performance.now();
    const description = this.#description;
    const body = { timestamp: isoTime(Date.now()), ...(description ? { agent: description } : {}) };
    const answer = await client.call("agent.heartbeat", { body }, { signal });
    this.#description = null;
    this.#connection.clock.observe(answer.serverTime, sentAt, performance.now());
    this.#seconds = answer.heartbeatIntervalSeconds;
    // A server that is older than the agent mentions none.
    this.#onCancelled(answer.cancelled ?? []);
  }
}
