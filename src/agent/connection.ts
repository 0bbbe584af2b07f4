// The agent's line to the server. It tells when the server is lost and found again, retries what may
// pass, and when the server turns the agent away it holds all calls back until the agent is taken
// again: after a new registration, or because an operator has enabled the agent.

import { type Client, createClient } from "../client/client.ts";
import { ServerError } from "../client/failures.ts";
import { httpTransport } from "../client/transport-http.ts";
import { Untrusted } from "../client/unreachable.ts";
import { AppError } from "../domain/errors.ts";
import { backoffMs, jittered } from "./backoff.ts";
import { Bell, pause } from "./bell.ts";
import { ServerClock } from "./deadline.ts";
import { AgentError, messageOf } from "./errors.ts";
import type { Emit } from "./events.ts";
import { codeOf, isAway, isPassing, isRefusal } from "./failures.ts";
import type { Settings } from "./options.ts";
import { type Registration, userAgent } from "./registration.ts";
import type { Identity } from "./token-store.ts";

interface Credential {
  identity: Identity;
  client: Client;
}

type Work<T> = (client: Client, signal: AbortSignal, attempt: number) => Promise<T>;
type OnRetry = (error: unknown, attempt: number, delayMs: number) => void;

export class Connection {
  readonly clock = new ServerClock();
  readonly #settings: Settings;
  readonly #registration: Registration;
  readonly #emit: Emit;
  /** Ends everything that goes over this connection. */
  readonly #signal: AbortSignal;
  readonly #found = new Bell();
  readonly #accepted = new Bell();
  #credential: Credential | null = null;
  #refused = false;
  #lostAt: number | null = null;
  #registeredAt = Number.NEGATIVE_INFINITY;

  constructor(settings: Settings, registration: Registration, emit: Emit, signal: AbortSignal) {
    this.#settings = settings;
    this.#registration = registration;
    this.#emit = emit;
    this.#signal = signal;
  }

  /** Null before the agent is registered. */
  get identity(): Identity | null {
    return this.#credential?.identity ?? null;
  }

  /** No call will be made any more. */
  get ended(): boolean {
    return this.#signal.aborted;
  }

  /** The latest call found nobody: a call that is not held open tells sooner when that is over. */
  get isLost(): boolean {
    return this.#lostAt !== null;
  }

  /**
   * Takes the stored identity, else registers; tries again while the server is away or the agent is
   * disabled. Throws AgentError REGISTRATION_TOKEN_MISSING, REGISTRATION_REFUSED, STATE_UNUSABLE.
   */
  async open(): Promise<void> {
    const identity = (await this.#registration.stored()) ?? (await this.#registerFirst());
    this.#use(identity);
  }

  async close(): Promise<void> {
    await this.#credential?.client.close();
  }

  /** Calls when the server takes calls of this agent. Throws what `work` throws. */
  async call<T>(work: Work<T>, signal: AbortSignal = this.#signal, attempt = 1): Promise<T> {
    const credential = await this.#whenAccepted(signal);
    try {
      const answer = await work(credential.client, signal, attempt);
      this.#noteFound();
      return answer;
    } catch (error) {
      if (!signal.aborted && credential === this.#credential) this.#noteFailure(error, credential);
      throw error;
    }
  }

  /** Calls again and again, until there is an answer, an error that will not pass, or the end. */
  async persist<T>(work: Work<T>, onRetry?: OnRetry, signal = this.#signal): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.call(work, signal, attempt);
      } catch (error) {
        if (signal.aborted || !isPassing(error)) throw error;
        const delayMs = isRefusal(error) ? 0 : backoffMs(attempt, this.#settings.backoff);
        onRetry?.(error, attempt, delayMs);
        await this.waitForRetry(delayMs, signal);
      }
    }
  }

  /** Lets time pass, but less when meanwhile another call finds the server again. */
  waitForRetry(ms: number, signal: AbortSignal): Promise<void> {
    return this.#found.wait(signal, ms);
  }

  /** Resolves each time the agent was turned away and is taken again, and at the end. */
  nextAcceptance(): Promise<void> {
    return this.#accepted.wait(this.#signal);
  }

  #use(identity: Identity): void {
    const { server: url, agentToken: bearer } = identity;
    void this.#credential?.client.close();
    const { ca } = this.#settings;
    const client = createClient(httpTransport({ url, bearer, userAgent, ca }));
    this.#credential = { identity, client };
  }

  async #whenAccepted(signal: AbortSignal): Promise<Credential> {
    while (true) {
      signal.throwIfAborted();
      if (this.#credential && !this.#refused) return this.#credential;
      await this.#accepted.wait(signal);
    }
  }

  async #registerFirst(): Promise<Identity> {
    for (let attempt = 1; ; attempt++) {
      try {
        const identity = await this.#registration.register(this.#signal);
        if (identity) return identity;
        throw new AgentError(
          "REGISTRATION_TOKEN_MISSING",
          "The agent is not registered yet and was given no registration token.",
        );
      } catch (error) {
        this.#signal.throwIfAborted();
        if (!isPassing(error))
          throw error instanceof AgentError ? error : registrationRefused(error);
        if (isRefusal(error)) this.#tellRefused(error);
        else this.#noteFailure(error, null);
        await pause(this.#retryMs(error, attempt), this.#signal);
      }
    }
  }

  #retryMs(error: unknown, attempt: number): number {
    const { refusedRetryMs, backoff } = this.#settings;
    return isRefusal(error) ? jittered(refusedRetryMs) : backoffMs(attempt, backoff);
  }

  #noteFound(): void {
    if (this.#lostAt === null) return;
    const afterMs = Math.round(performance.now() - this.#lostAt);
    this.#lostAt = null;
    this.#emit("info", "The server answers again.", { type: "connection.restored", afterMs });
    this.#found.ring();
  }

  #noteFailure(error: unknown, credential: Credential | null): void {
    if (isAway(error)) {
      if (this.#lostAt !== null) return;
      this.#lostAt = performance.now();
      const hint = error instanceof Untrusted ? "; its CA can be given as `ca`" : "";
      this.#emit("warn", `The server does not answer: ${messageOf(error)}${hint}`, {
        type: "connection.lost",
      });
      return;
    }
    if (error instanceof AppError || error instanceof ServerError) this.#noteFound();
    if (!isRefusal(error) || this.#refused || credential === null) return;
    this.#refused = true;
    void this.#comeBack(error);
  }

  /** Never rejects. */
  async #comeBack(first: AppError): Promise<void> {
    const told = new Set<string>();
    let refusal: unknown = first;
    while (refusal !== null && !this.#signal.aborted) {
      this.#tellOnce(refusal, told);
      if (codeOf(refusal) === "UNAUTHORIZED") refusal = await this.#registerAgain(refusal);
      if (refusal === null) break;
      this.#tellOnce(refusal, told);
      await pause(jittered(this.#settings.refusedRetryMs), this.#signal);
      refusal = await this.#probe();
    }
    if (this.#signal.aborted) return;
    this.#refused = false;
    this.#noteFound();
    this.#emit("info", "The server takes the agent again.", { type: "accepted" });
    this.#accepted.ring();
  }

  /**
   * Null when there is a new token; else why not. Not twice in a row at once: two agents with one
   * code would take it from each other for ever.
   */
  async #registerAgain(refusal: unknown): Promise<unknown> {
    if (performance.now() - this.#registeredAt < this.#settings.refusedRetryMs * 0.9)
      return refusal;
    try {
      const identity = await this.#registration.register(this.#signal);
      if (!identity) return refusal;
      this.#registeredAt = performance.now();
      this.#use(identity);
      return null;
    } catch (error) {
      return error;
    }
  }

  /** Null when the server takes the agent; else why not. */
  async #probe(): Promise<unknown> {
    try {
      await this.#credential?.client.call("agent.heartbeat", {}, { signal: this.#signal });
      return null;
    } catch (error) {
      return error;
    }
  }

  #tellOnce(error: unknown, told: Set<string>): void {
    this.#noteFailure(error, null);
    if (!isAway(error) && !told.has(codeOf(error))) this.#tellRefused(error);
    told.add(codeOf(error));
  }

  #tellRefused(error: unknown): void {
    const message = `The server turns the agent away: ${messageOf(error)}`;
    this.#emit("error", message, { type: "refused", code: codeOf(error) });
  }
}

function registrationRefused(error: unknown): AgentError {
  const lost =
    codeOf(error) === "REGISTRATION_TOKEN_USED"
      ? " If the answer to an earlier try was lost, this agent used it itself: make a new one."
      : "";
  const message = `The server refuses the registration: ${messageOf(error)}${lost}`;
  return new AgentError("REGISTRATION_REFUSED", message, error);
}
