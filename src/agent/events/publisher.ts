import { orAborted } from "../../lib/time-limit.ts";
import { Bell } from "../bell.ts";
import type { Connection } from "../connection/connection.ts";
import { messageOf } from "../connection/errors.ts";
import { codeOf, isAway } from "../connection/failures.ts";
import type { ManagedServices } from "../services/managed-services.ts";
import type { RefusedServices } from "../services/refused-services.ts";
import type { Reporter } from "../services/reporter.ts";
import type { Emit } from "./events.ts";
import type { PublishReceipt } from "./published-event.ts";
import type { SealedEvent } from "./sealed-event.ts";

export interface PublisherOptions {
  connection: Connection;
  reporter: Reporter;
  services: ManagedServices;
  refused: RefusedServices;
  emit: Emit;
}

export class Publisher {
  readonly #options: PublisherOptions;
  readonly #emptied = new Bell();
  #underWay = 0;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /** Throws errors that a retry cannot fix, the signal's reason, and AGENT_NOT_RUNNING. */
  async publish(event: SealedEvent, signal: AbortSignal): Promise<PublishReceipt> {
    this.#options.refused.requireTaken(event.source);
    this.#underWay++;
    try {
      return await this.#deliver(event, signal);
    } catch (error) {
      if (!this.#isNews(event, error)) throw error;
      // Reports the new service first. A failed report emits its own event.
      await orAborted(this.#options.reporter.soon(), signal).catch(() => undefined);
      return await this.#deliver(event, signal);
    } finally {
      if (--this.#underWay === 0) this.#emptied.ring();
    }
  }

  async settled(ms: number): Promise<void> {
    if (this.#underWay > 0) await this.#emptied.wait(new AbortController().signal, ms);
  }

  /** Whether the server does not know this service yet, because the agent has just added it. */
  #isNews({ source }: SealedEvent, error: unknown): boolean {
    return codeOf(error) === "BUS_SOURCE_NOT_FOUND" && this.#options.services.has(source);
  }

  #deliver(event: SealedEvent, signal: AbortSignal): Promise<PublishReceipt> {
    const { connection } = this.#options;
    return connection.persist(
      (client, ended) => {
        const agentId = connection.identity?.agentId ?? "";
        const input = { params: { agentId }, body: event };
        return client.call("agent.publish", input, { signal: ended });
      },
      {
        onRetry: (error, attempt, delayMs) => this.#emitRetry(event, error, attempt, delayMs),
        signal,
      },
    );
  }

  #emitRetry(event: SealedEvent, error: unknown, attempt: number, delayMs: number): void {
    const message = `Publishing event ${event.id} of ${event.source} failed: ${messageOf(error)}`;
    // Warns once per event. An outage has its own agent event.
    this.#options.emit(attempt > 1 || isAway(error) ? "debug" : "warn", message, {
      type: "publish.retry",
      serviceCode: event.source,
      eventId: event.id ?? "",
      attempt,
      delayMs,
      code: codeOf(error),
    });
  }
}
