// Tells the server about the services: at intervals, and when the program says that something changed.

import { Bell } from "../bell.ts";
import { jittered } from "../connection/backoff.ts";
import type { Connection } from "../connection/connection.ts";
import { AgentError, messageOf } from "../connection/errors.ts";
import { codeOf } from "../connection/failures.ts";
import type { Emit } from "../events/events.ts";
import type { Settings } from "../settings.ts";
import type { ManagedServices } from "./managed-services.ts";
import type { RefusedServices } from "./refused-services.ts";
import { reportOf } from "./service-report.ts";

interface Waiter {
  resolve: () => void;
  reject: (error: unknown) => void;
}

export class Reporter {
  readonly #settings: Settings;
  readonly #services: ManagedServices;
  readonly #connection: Connection;
  readonly #refused: RefusedServices;
  readonly #emit: Emit;
  /** Ends what services are asked. */
  readonly #signal: AbortSignal;
  readonly #wanted = new Bell();
  #waiters: Waiter[] = [];
  #ended = false;

  constructor(
    settings: Settings,
    services: ManagedServices,
    connection: Connection,
    refused: RefusedServices,
    emit: Emit,
    signal: AbortSignal,
  ) {
    this.#settings = settings;
    this.#services = services;
    this.#connection = connection;
    this.#refused = refused;
    this.#emit = emit;
    this.#signal = signal;
  }

  /** Asks the services, now and before every further try, and reports. Throws what will not pass. */
  async report(): Promise<void> {
    const answer = await this.#connection.persist(async (client, signal) => {
      const asked = this.#services.list().map((service) => reportOf(service, this.#signal));
      const services = await Promise.all(asked);
      return client.call("agent.report", { body: { services } }, { signal });
    });
    // A server that is older than this says nothing of it.
    const { services, rejected = [] } = answer;
    this.#refused.note(
      services.map(({ code }) => code),
      rejected,
    );
    const { length } = services;
    const message = `Reported ${length} ${length === 1 ? "service" : "services"}.`;
    this.#emit("debug", message, { type: "reported", services: length });
  }

  /**
   * Resolves when a report that began after this call has been taken. Rejects when it could not be
   * made or is not valid, and with AGENT_NOT_RUNNING at the end.
   */
  soon(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(notRunning());
      this.#waiters.push({ resolve, reject });
      this.#wanted.ring();
    });
  }

  /** Reports at intervals until the signal is aborted. Does not reject. */
  async reportForever(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#waiters.length === 0) {
        await this.#wanted.wait(signal, jittered(this.#intervalSeconds() * 1000));
      }
      if (!signal.aborted) await this.#reportFor(this.#waiters.splice(0), signal);
    }
  }

  /** Reports each time the server takes the agent again: it has missed some. */
  async reportWhenAccepted(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#connection.nextAcceptance();
      if (!signal.aborted) this.soon().catch(() => undefined);
    }
  }

  /** Nobody waits for a report any more. */
  end(): void {
    this.#ended = true;
    for (const { reject } of this.#waiters.splice(0)) reject(notRunning());
  }

  #intervalSeconds(): number {
    const { reportSeconds } = this.#settings.timing;
    return reportSeconds ?? this.#connection.identity?.reportIntervalSeconds ?? 30;
  }

  async #reportFor(waiters: Waiter[], signal: AbortSignal): Promise<void> {
    try {
      await this.report();
      for (const { resolve } of waiters) resolve();
    } catch (error) {
      const reason = signal.aborted ? notRunning() : error;
      for (const { reject } of waiters) reject(reason);
      if (signal.aborted) return;
      this.#emit("error", `The services could not be reported: ${messageOf(error)}`, {
        type: "report.failed",
        code: codeOf(error),
      });
    }
  }
}

export function notRunning(): AgentError {
  return new AgentError(
    "AGENT_NOT_RUNNING",
    "The agent has not been started, or has been stopped.",
  );
}
