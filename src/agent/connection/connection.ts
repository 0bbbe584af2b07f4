// The agent's connection to the server. While the server refuses the agent, all calls wait.

import type { Client } from "../../client/client.ts";
import { ServerError } from "../../client/failures.ts";
import { isOpenToOthers } from "../../client/proxy.ts";
import { AppError } from "../../domain/errors.ts";
import type { AgentContext } from "../agent-context.ts";
import { Bell, pause } from "../bell.ts";
import { retryMs } from "./backoff.ts";
import { type Caller, Connectivity } from "./connectivity.ts";
import { ServerClock } from "./deadline.ts";
import { createEnrollment } from "./enrollment.ts";
import { isAway, isPassing, isRefusal, retryAfterMs } from "./failures.ts";
import { openClient } from "./own-client.ts";
import type { Registration } from "./registration.ts";
import type { Identity } from "./token-store.ts";

interface Credential {
  identity: Identity;
  client: Client;
}

type Work<T> = (client: Client, signal: AbortSignal, attempt: number) => Promise<T>;

interface Persistence {
  /** Called for each failure except the last. An error that it throws ends the retries. */
  onRetry?: (error: unknown, attempt: number, delayMs: number) => void;
  /** A factor for the agent's own part of the delays. */
  slowness?: () => number;
  /** Ends the retries when aborted. Default: the connection's signal. */
  signal?: AbortSignal;
}

export class Connection {
  readonly clock = new ServerClock();
  readonly #context: AgentContext;
  readonly #enrollment;
  readonly #reach: Connectivity;
  readonly #accepted = new Bell();
  #credential: Credential | null = null;
  #refused = false;
  #returning: Promise<void> = Promise.resolve();

  constructor(context: AgentContext, registration: Registration) {
    this.#context = context;
    this.#reach = new Connectivity(context.emit);
    this.#enrollment = createEnrollment(context, registration, this.#reach);
  }

  get identity(): Identity | null {
    return this.#credential?.identity ?? null;
  }

  get ended(): boolean {
    return this.#context.stopSignal.aborted;
  }

  get isLost(): boolean {
    return this.#reach.isLost;
  }

  /** Resolves when the server responds, or when the signal is aborted. */
  whenFound(signal: AbortSignal): Promise<void> {
    return this.#reach.whenFound(signal);
  }

  /** Throws the same errors as `enter` in enrollment.ts. */
  async open(): Promise<void> {
    this.#warnOfInsecurity();
    this.#warnOfPlainHttp();
    this.#use(await this.#enrollment.enter());
  }

  /**
   * Tries once, for at most `ms` milliseconds, to report the agent OFFLINE. This must be the last
   * call. Never rejects.
   */
  async goOffline(ms: number): Promise<void> {
    if (!this.#credential || this.#refused || this.isLost) return;
    const options = { signal: AbortSignal.timeout(ms) };
    await this.#credential.client.call("agent.offline", {}, options).catch(() => {
      // An older server has no such route, but notices that the heartbeats have stopped.
    });
  }

  /** Lets a registration in progress finish, so that its token is stored. */
  async close(): Promise<void> {
    await this.#returning;
    await this.#credential?.client.close();
  }

  /** `caller` identifies the loop that repeats the call after a failure, if there is one. */
  async call<T>(
    work: Work<T>,
    signal: AbortSignal = this.#context.stopSignal,
    attempt = 1,
    caller?: Caller,
  ): Promise<T> {
    const credential = await this.#whenAccepted(signal);
    try {
      const reply = await work(credential.client, signal, attempt);
      this.#noteFound(caller);
      return reply;
    } catch (error) {
      if (!signal.aborted && credential === this.#credential) this.#noteFailure(error, caller);
      throw error;
    }
  }

  async persist<T>(
    work: Work<T>,
    { onRetry, slowness, signal = this.#context.stopSignal }: Persistence = {},
  ): Promise<T> {
    const caller: Caller = {};
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await this.call(work, signal, attempt, caller);
        } catch (error) {
          if (signal.aborted || !isPassing(error)) throw error;
          const pace = { slowness: slowness?.() ?? 1 };
          const { backoff } = this.#context.settings;
          const delayMs = isRefusal(error) ? 0 : retryMs(error, attempt, backoff, pace);
          onRetry?.(error, attempt, delayMs);
          await this.waitForRetry(error, delayMs, signal);
        }
      }
    } finally {
      this.#reach.gaveUp(caller);
    }
  }

  /** Waits for the server's Retry-After, then until `ms` have passed or another call succeeds. */
  async waitForRetry(error: unknown, ms: number, signal: AbortSignal): Promise<void> {
    const askedMs = Math.min(ms, retryAfterMs(error) ?? 0);
    if (askedMs > 0) await pause(askedMs, signal);
    await this.#reach.wait(ms - askedMs, signal);
  }

  /** Also resolves when the connection ends. */
  nextAcceptance(): Promise<void> {
    return this.#accepted.wait(this.#context.stopSignal);
  }

  #use(identity: Identity): void {
    void this.#credential?.client.close();
    const client = openClient(identity.server, this.#context.settings.way, identity.agentToken);
    this.#credential = { identity, client };
  }

  async #whenAccepted(signal: AbortSignal): Promise<Credential> {
    while (true) {
      signal.throwIfAborted();
      if (this.#credential && !this.#refused) return this.#credential;
      await this.#accepted.wait(signal);
    }
  }

  #noteFound(caller?: Caller): void {
    if (this.#reach.found(caller)) this.#warnOfInsecurity();
  }

  #noteFailure(error: unknown, caller?: Caller): void {
    if (isAway(error)) this.#reach.lost(error, caller);
    else if (error instanceof AppError || error instanceof ServerError) this.#noteFound();
    if (!isRefusal(error) || this.#refused) return;
    this.#refused = true;
    this.#returning = this.#comeBack(error).catch(() => {
      // The agent is stopping.
    });
  }

  async #comeBack(refusal: unknown): Promise<void> {
    const identity = await this.#enrollment.enterAgain(refusal, () => this.#probe());
    if (identity) this.#use(identity);
    this.#refused = false;
    this.#noteFound();
    this.#context.emit("info", "The server accepts the agent again.", { type: "accepted" });
    this.#accepted.ring();
  }

  /** Returns the server's refusal; null if the server accepts the agent. */
  async #probe(): Promise<unknown> {
    try {
      await this.#credential?.client.call(
        "agent.heartbeat",
        {},
        { signal: this.#context.stopSignal },
      );
      return null;
    } catch (error) {
      return error;
    }
  }

  #warnOfPlainHttp(): void {
    const { server } = this.#context.settings;
    if (!isOpenToOthers(server)) return;
    const message =
      `The agent sends its token and reports to ${server} unencrypted. Anyone on the network ` +
      "path can read them and control this agent. Use https.";
    this.#context.emit("warn", message, { type: "insecure" });
  }

  #warnOfInsecurity(): void {
    const { way, server } = this.#context.settings;
    if (!way.insecureSkipTlsVerify || new URL(server).protocol !== "https:") return;
    const message =
      `insecureSkipTlsVerify is set: the agent does not verify the certificate of ${server}. Anyone ` +
      "who impersonates that server gets the agent's token and can control this agent. Set `ca` " +
      "instead.";
    this.#context.emit("warn", message, { type: "insecure" });
  }
}
