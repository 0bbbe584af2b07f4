// Signs of life, at the interval that the server asks for; each brings the server's clock with it.
// (`decisions.md` 2 "heartbeat")

import type { Client } from "../client/client.ts";
import { isoTime } from "../lib/iso-time.ts";
import { jittered } from "./backoff.ts";
import { Bell } from "./bell.ts";
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
  /** Rings when the description has changed. */
  readonly #described = new Bell();
  #isDue = false;

  constructor(
    connection: Connection,
    fixedSeconds: number | undefined,
    onCancelled: (commandIds: readonly string[]) => void,
    agent: AgentDescription,
  ) {
    this.#description = described(agent);
    this.#connection = connection;
    this.#fixedSeconds = fixedSeconds;
    this.#onCancelled = onCancelled;
  }

  /** What the agent says of itself from now on. Sent at once by `beatForever`. */
  describe(agent: AgentDescription): void {
    this.#description = described(agent);
    this.#isDue = true;
    this.#described.ring();
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
      const waitMs = jittered((this.#fixedSeconds ?? this.#seconds) * 1000);
      if (!this.#isDue) await this.#described.wait(signal, waitMs);
      this.#isDue = false;
      if (!signal.aborted) await this.beat();
    }
  }

  async #send(client: Client, signal: AbortSignal): Promise<void> {
    const sentAt = performance.now();
    const description = this.#description;
    const body = { timestamp: isoTime(Date.now()), ...(description ? { agent: description } : {}) };
    const answer = await client.call("agent.heartbeat", { body }, { signal });
    // It may have changed again meanwhile.
    if (this.#description === description) this.#description = null;
    this.#connection.clock.observe(answer.serverTime, sentAt, performance.now());
    this.#seconds = answer.heartbeatIntervalSeconds;
    // A server that is older than the agent mentions none.
    this.#onCancelled(answer.cancelled ?? []);
  }
}

/** Null when it is longer than the server takes. */
function described({ name, version, runtime, labels = {} }: AgentDescription): Described | null {
  const description = { name, version, runtime, labels };
  return JSON.stringify(description).length <= maxDescriptionLength ? description : null;
}
