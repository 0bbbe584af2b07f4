// Events on their way to the bus: each is sent until the server has it, or does not take it.

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

export class Publisher {
  readonly #connection: Connection;
  readonly #reporter: Reporter;
  readonly #services: ManagedServices;
  readonly #refused: RefusedServices;
  readonly #emit: Emit;
  readonly #emptied = new Bell();
  #underWay = 0;

  constructor(
    connection: Connection,
    reporter: Reporter,
    services: ManagedServices,
    refused: RefusedServices,
    emit: Emit,
  ) {
    this.#connection = connection;
    this.#reporter = reporter;
    this.#services = services;
    this.#refused = refused;
    this.#emit = emit;
  }

  /**
   * Resolves when the server has the event. Throws what will not pass, the signal's reason, and
   * AGENT_NOT_RUNNING at the end of the connection.
   */
  async publish(event: SealedEvent, signal: AbortSignal): Promise<PublishReceipt> {
    this.#refused.requireTaken(event.source);
    this.#underWay++;
    try {
      return await this.#deliver(event, signal);
    } catch (error) {
      if (!this.#isNews(event, error)) throw error;
      // What it was not told yet, it is told now; why that failed, if it does, is an event by itself.
      await orAborted(this.#reporter.soon(), signal).catch(() => undefined);
      return await this.#deliver(event, signal);
    } finally {
      if (--this.#underWay === 0) this.#emptied.ring();
    }
  }

  /** Resolves when no event is on its way, or after `ms`. */
  async settled(ms: number): Promise<void> {
    if (this.#underWay > 0) await this.#emptied.wait(new AbortController().signal, ms);
  }

  /** The server does not know a service that the agent has: added since the last report, perhaps. */
  #isNews({ source }: SealedEvent, error: unknown): boolean {
    return codeOf(error) === "BUS_SOURCE_NOT_FOUND" && this.#services.has(source);
  }

  #deliver(event: SealedEvent, signal: AbortSignal): Promise<PublishReceipt> {
    return this.#connection.persist(
      (client, ended) => {
        // There is one: no call is made before.
        const agentId = this.#connection.identity?.agentId ?? "";
        const input = { params: { agentId }, body: event };
        return client.call("agent.publish", input, { signal: ended });
      },
      {
        onRetry: (error, attempt, delayMs) => this.#tellRetry(event, error, attempt, delayMs),
        signal,
      },
    );
  }

  #tellRetry(event: SealedEvent, error: unknown, attempt: number, delayMs: number): void {
    const message = `The event ${event.id} of ${event.source} was not taken: ${messageOf(error)}`;
    // Once for each event; that nobody answers is told once for all calls.
    this.#emit(attempt > 1 || isAway(error) ? "debug" : "warn", message, {
      type: "publish.retry",
      serviceCode: event.source,
      eventId: event.id ?? "",
      attempt,
      delayMs,
      code: codeOf(error),
    });
  }
}
