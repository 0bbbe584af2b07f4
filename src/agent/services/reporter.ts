import { counted } from "../../lib/counted.ts";
import type { Base } from "../base.ts";
import { Bell } from "../bell.ts";
import { jittered } from "../connection/backoff.ts";
import type { Connection } from "../connection/connection.ts";
import { AgentError, messageOf } from "../connection/errors.ts";
import { codeOf } from "../connection/failures.ts";
import type { ManagedServices } from "./managed-services.ts";
import type { RefusedServices } from "./refused-services.ts";
import { reportOf } from "./service-report.ts";

interface Waiter {
  resolve: () => void;
  reject: (error: unknown) => void;
}

export class Reporter {
  readonly #base: Base;
  readonly #services: ManagedServices;
  readonly #connection: Connection;
  readonly #refused: RefusedServices;
  readonly #wanted = new Bell();
  #waiters: Waiter[] = [];
  #ended = false;

  constructor(
    base: Base,
    services: ManagedServices,
    connection: Connection,
    refused: RefusedServices,
  ) {
    this.#base = base;
    this.#services = services;
    this.#connection = connection;
    this.#refused = refused;
  }

  /** Collects the services again for every attempt. Throws errors that a retry cannot fix. */
  async report(): Promise<void> {
    const reply = await this.#connection.persist(async (client, signal) => {
      const reports = this.#services.list().map((service) => reportOf(service, this.#base.line));
      const services = await Promise.all(reports);
      return client.call("agent.report", { body: { services } }, { signal });
    });
    // An older server sends no `rejected`.
    const { services, rejected = [] } = reply;
    this.#refused.note(
      services.map(({ code }) => code),
      rejected,
    );
    const { length } = services;
    const message = `Reported ${counted(length, "service")}.`;
    this.#base.emit("debug", message, { type: "reported", services: length });
  }

  /**
   * Resolves when the server has accepted a report that started after this call. Rejects if that
   * report fails, and with AGENT_NOT_RUNNING when the agent stops.
   */
  soon(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(notRunning());
      this.#waiters.push({ resolve, reject });
      this.#wanted.ring();
    });
  }

  async reportForever(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      if (this.#waiters.length === 0) {
        await this.#wanted.wait(signal, jittered(this.#intervalSeconds() * 1000));
      }
      if (!signal.aborted) await this.#reportFor(this.#waiters.splice(0), signal);
    }
  }

  /** The server has missed reports while it refused the agent. */
  async reportWhenAccepted(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#connection.nextAcceptance();
      if (!signal.aborted) this.soon().catch(() => undefined);
    }
  }

  end(): void {
    this.#ended = true;
    for (const { reject } of this.#waiters.splice(0)) reject(notRunning());
  }

  #intervalSeconds(): number {
    const { reportSeconds } = this.#base.settings.timing;
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
      this.#base.emit("error", `The services could not be reported: ${messageOf(error)}`, {
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
