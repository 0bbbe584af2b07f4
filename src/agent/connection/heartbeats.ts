// Signs of life, at the interval that the server asks for; each brings the server's clock with it.

import type { Client } from "../../client/client.ts";
import { bodyLimitBytes } from "../../domain/limits.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { Bell } from "../bell.ts";
import type { Emit } from "../events/events.ts";
import type { AgentDescription } from "../options.ts";
import { jittered } from "./backoff.ts";
import type { Connection } from "./connection.ts";
import { messageOf } from "./errors.ts";
import { codeOf, isPassing } from "./failures.ts";

type Described = Pick<AgentDescription, "name" | "version" | "runtime" | "labels">;

/** The server takes less with a heartbeat than with a registration; 1 KiB is left for the rest. */
const maxDescriptionBytes = bodyLimitBytes.heartbeat - 1024;

export class Heartbeats {
  readonly #connection: Connection;
  readonly #emit: Emit;
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
    emit: Emit,
  ) {
    this.#description = described(agent);
    this.#connection = connection;
    this.#emit = emit;
    this.#fixedSeconds = fixedSeconds;
    this.#onCancelled = onCancelled;
    if (problemOfDescription(agent)) {
      this.#sayRefused("PAYLOAD_TOO_LARGE", "it is too long for a heartbeat");
    }
  }

  /** What the agent says of itself from now on, and fits. Sent at once by `beatForever`. */
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
    let answer: Awaited<ReturnType<typeof client.call<"agent.heartbeat">>>;
    try {
      answer = await client.call("agent.heartbeat", { body }, { signal });
    } catch (error) {
      if (!description || signal.aborted || isPassing(error)) throw error;
      // A sign of life must not fail for it.
      this.#isTold(description);
      this.#sayRefused(codeOf(error), messageOf(error));
      return this.#send(client, signal);
    }
    this.#isTold(description);
    this.#connection.clock.observe(answer.serverTime, sentAt, performance.now());
    this.#seconds = answer.heartbeatIntervalSeconds;
    // A server that is older than the agent mentions none.
    this.#onCancelled(answer.cancelled ?? []);
  }

  /** It may have changed again meanwhile. */
  #isTold(description: Described | null): void {
    if (this.#description === description) this.#description = null;
  }

  #sayRefused(code: string, reason: string): void {
    const message =
      "The server does not take the agent's name, version, runtime and labels with a heartbeat: " +
      `${reason}. It gets them when the agent next registers.`;
    this.#emit("warn", message, { type: "description.refused", code });
  }
}

/** Why the server would not take the agent's description with a heartbeat; null when it would. */
export function problemOfDescription(agent: AgentDescription): string | null {
  const bytes = Buffer.byteLength(JSON.stringify(textOf(agent)));
  if (bytes <= maxDescriptionBytes) return null;
  return `agent: name, version, runtime and labels are ${bytes} bytes together, and the server takes ${maxDescriptionBytes}`;
}

function described(agent: AgentDescription): Described | null {
  return problemOfDescription(agent) === null ? textOf(agent) : null;
}

function textOf({ name, version, runtime, labels = {} }: AgentDescription): Described {
  return { name, version, runtime, labels };
}
