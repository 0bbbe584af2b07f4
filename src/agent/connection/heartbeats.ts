import type { Client } from "../../client/client.ts";
import { bodyLimitBytes } from "../../domain/limits.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Base } from "../base.ts";
import { Bell } from "../bell.ts";
import type { AgentDescription } from "../options.ts";
import { jittered } from "./backoff.ts";
import type { Connection } from "./connection.ts";
import { messageOf } from "./errors.ts";
import { codeOf, isPassing } from "./failures.ts";

type Described = Pick<AgentDescription, "name" | "version" | "runtime" | "labels">;

/** A heartbeat has a lower size limit than a registration. Its other fields need 1 KiB. */
const maxDescriptionBytes = bodyLimitBytes.heartbeat - 1024;

export class Heartbeats {
  readonly #base: Base;
  readonly #connection: Connection;
  readonly #onCancelled: (commandIds: readonly string[]) => void;
  #seconds = 30;
  /** This is null once the server has the description. */
  #description: Described | null;
  readonly #described = new Bell();
  #isDue = false;

  constructor(
    base: Base,
    connection: Connection,
    onCancelled: (commandIds: readonly string[]) => void,
  ) {
    const { agent } = base.settings;
    this.#base = base;
    this.#connection = connection;
    this.#onCancelled = onCancelled;
    this.#description = described(agent);
    if (problemOfDescription(agent)) {
      this.#emitRefused("PAYLOAD_TOO_LARGE", "they are too large");
    }
  }

  describe(agent: AgentDescription): void {
    this.#description = described(agent);
    this.#isDue = true;
    this.#described.ring();
  }

  async beat(): Promise<void> {
    await this.#connection.persist((client, signal) => this.#send(client, signal));
  }

  /** Tries once to update the clock. Never rejects. */
  async refreshClock(signal: AbortSignal): Promise<void> {
    const soon = AbortSignal.any([signal, AbortSignal.timeout(5000)]);
    await this.#connection
      .call((client, signal) => this.#send(client, signal), soon)
      .catch(() => {
        // The clock remains unchanged.
      });
  }

  /** Rejects only with errors that a retry cannot fix. */
  async beatForever(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { heartbeatSeconds = this.#seconds } = this.#base.settings.timing;
      const waitMs = jittered(heartbeatSeconds * 1000);
      if (!this.#isDue) await this.#described.wait(signal, waitMs);
      this.#isDue = false;
      if (!signal.aborted) await this.beat();
    }
  }

  async #send(client: Client, signal: AbortSignal): Promise<void> {
    const sentAt = performance.now();
    const description = this.#description;
    const body = { timestamp: isoTime(Date.now()), ...(description ? { agent: description } : {}) };
    let reply: Awaited<ReturnType<typeof client.call<"agent.heartbeat">>>;
    try {
      reply = await client.call("agent.heartbeat", { body }, { signal });
    } catch (error) {
      if (!description || signal.aborted || isPassing(error)) throw error;
      // Heartbeats must continue without the description.
      this.#forget(description);
      this.#emitRefused(codeOf(error), messageOf(error));
      return this.#send(client, signal);
    }
    this.#forget(description);
    this.#connection.clock.observe(reply.serverTime, sentAt, performance.now());
    this.#seconds = reply.heartbeatIntervalSeconds;
    // An older server does not send this field.
    this.#onCancelled(reply.cancelled ?? []);
  }

  /** The description may have changed during the call. */
  #forget(description: Described | null): void {
    if (this.#description === description) this.#description = null;
  }

  #emitRefused(code: string, reason: string): void {
    const message =
      "The server does not accept the agent's name, version, runtime and labels in a heartbeat: " +
      `${reason}. It gets them at the agent's next registration.`;
    this.#base.emit("warn", message, { type: "description.refused", code });
  }
}

/** Returns why the server would refuse this description in a heartbeat; null if it would not. */
export function problemOfDescription(agent: AgentDescription): string | null {
  const bytes = Buffer.byteLength(JSON.stringify(textOf(agent)));
  if (bytes <= maxDescriptionBytes) return null;
  return `agent: name, version, runtime and labels have ${bytes} bytes, but the server accepts at most ${maxDescriptionBytes}`;
}

function described(agent: AgentDescription): Described | null {
  return problemOfDescription(agent) === null ? textOf(agent) : null;
}

function textOf({ name, version, runtime, labels = {} }: AgentDescription): Described {
  return { name, version, runtime, labels };
}
