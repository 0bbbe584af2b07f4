// The agent's line to the server. It tells when the server is lost and found again, retries what may
// pass, and when the server turns the agent away it holds all calls back until the agent is taken
// again: after a new registration, or because an operator has enabled the agent.

import { type Client, createClient } from "../../client/client.ts";
import { ServerError } from "../../client/failures.ts";
import { isOpenToOthers } from "../../client/open-to-others.ts";
import { httpTransport } from "../../client/transport-http.ts";
import { AppError } from "../../domain/errors.ts";
import { Bell, pause } from "../bell.ts";
import type { Emit } from "../events/events.ts";
import type { Settings } from "../settings.ts";
import { Admission } from "./admission.ts";
import { retryMs } from "./backoff.ts";
import { ServerClock } from "./deadline.ts";
import { isAway, isPassing, isRefusal, retryAfterMs } from "./failures.ts";
import { Reach } from "./reach.ts";
import type { Registration } from "./registration.ts";
import type { Identity } from "./token-store.ts";
import { userAgent } from "./user-agent.ts";

interface Credential {
  identity: Identity;
  client: Client;
}

type Work<T> = (client: Client, signal: AbortSignal, attempt: number) => Promise<T>;

export interface Persistence {
  /** Told of each failure that is not the last; what it throws is. */
  onRetry?: (error: unknown, attempt: number, delayMs: number) => void;
  /** Makes our own part of the waits so many times as long: for calls that are many. */
  slowness?: () => number;
  /** Ends it; else it ends with the connection. */
  signal?: AbortSignal;
}

export class Connection {
  readonly clock = new ServerClock();
  readonly #settings: Settings;
  readonly #emit: Emit;
  /** Ends everything that goes over this connection. */
  readonly #signal: AbortSignal;
  readonly #admission: Admission;
  readonly #reach: Reach;
  readonly #accepted = new Bell();
  #credential: Credential | null = null;
  #refused = false;
  #returning: Promise<void> = Promise.resolve();

  constructor(settings: Settings, registration: Registration, emit: Emit, signal: AbortSignal) {
    this.#settings = settings;
    this.#emit = emit;
    this.#signal = signal;
    this.#reach = new Reach(emit);
    this.#admission = new Admission(settings, registration, this.#reach, emit, signal);
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
    return this.#reach.isLost;
  }

  /** Takes the stored identity, else registers. Throws what Admission.enter does. */
  async open(): Promise<void> {
    this.#warnOfInsecurity();
    this.#warnOfPlainHttp();
    this.#use(await this.#admission.enter());
  }

  /**
   * Says that the agent stops, so that operators see it at once: one try, for at most `ms`. Not while the
   * server is away or turns the agent away. Never rejects; to be called when no other call is made any more.
   */
  async sayGoodbye(ms: number): Promise<void> {
    if (!this.#credential || this.#refused || this.isLost) return;
    const options = { signal: AbortSignal.timeout(ms) };
    await this.#credential.client.call("agent.offline", {}, options).catch(() => {
      // An older server knows no goodbye, and any server notices the silence.
    });
  }

  /** A registration under way at the end is let end, so that its token is kept. */
  async close(): Promise<void> {
    await this.#returning;
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
      if (!signal.aborted && credential === this.#credential) this.#noteFailure(error);
      throw error;
    }
  }

  /** Calls again and again, until there is an answer, an error that will not pass, or the end. */
  async persist<T>(
    work: Work<T>,
    { onRetry, slowness, signal = this.#signal }: Persistence = {},
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.call(work, signal, attempt);
      } catch (error) {
        if (signal.aborted || !isPassing(error)) throw error;
        const pace = { slowness: slowness?.() ?? 1 };
        const { backoff } = this.#settings;
        const delayMs = isRefusal(error) ? 0 : retryMs(error, attempt, backoff, pace);
        onRetry?.(error, attempt, delayMs);
        await this.waitForRetry(error, delayMs, signal);
      }
    }
  }

  /**
   * Lets time pass: what the server has asked for to its end, the rest until another call finds the
   * server again.
   */
  async waitForRetry(error: unknown, ms: number, signal: AbortSignal): Promise<void> {
    const askedMs = Math.min(ms, retryAfterMs(error) ?? 0);
    if (askedMs > 0) await pause(askedMs, signal);
    await this.#reach.wait(ms - askedMs, signal);
  }

  /** Resolves each time the agent was turned away and is taken again, and at the end. */
  nextAcceptance(): Promise<void> {
    return this.#accepted.wait(this.#signal);
  }

  #use(identity: Identity): void {
    const { server: url, agentToken: bearer } = identity;
    void this.#credential?.client.close();
    const { way } = this.#settings;
    const client = createClient(httpTransport({ url, bearer, userAgent, ...way }));
    this.#credential = { identity, client };
  }

  async #whenAccepted(signal: AbortSignal): Promise<Credential> {
    while (true) {
      signal.throwIfAborted();
      if (this.#credential && !this.#refused) return this.#credential;
      await this.#accepted.wait(signal);
    }
  }

  #noteFound(): void {
    if (this.#reach.found()) this.#warnOfInsecurity();
  }

  #noteFailure(error: unknown): void {
    if (isAway(error)) this.#reach.lost(error);
    else if (error instanceof AppError || error instanceof ServerError) this.#noteFound();
    if (!isRefusal(error) || this.#refused) return;
    this.#refused = true;
    this.#returning = this.#comeBack(error).catch(() => {
      // At the end nobody waits to be taken again.
    });
  }

  async #comeBack(refusal: unknown): Promise<void> {
    const identity = await this.#admission.enterAgain(refusal, () => this.#probe());
    if (identity) this.#use(identity);
    this.#refused = false;
    this.#noteFound();
    this.#emit("info", "The server takes the agent again.", { type: "accepted" });
    this.#accepted.ring();
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

  /** Once: that does not change while it runs. */
  #warnOfPlainHttp(): void {
    const { server } = this.#settings;
    if (!isOpenToOthers(server)) return;
    const message =
      `The agent's token and all it reports go to ${server} unencrypted: whoever is on the way can read ` +
      "them, and have anything done here. Use https.";
    this.#emit("warn", message, { type: "insecure" });
  }

  #warnOfInsecurity(): void {
    const { way, server } = this.#settings;
    if (!way.insecureSkipTlsVerify || new URL(server).protocol !== "https:") return;
    const message =
      `insecureSkipTlsVerify: whoever answers in the place of ${server} is believed, gets the agent's ` +
      "token and may have anything done here. Give the CA of the server as `ca` instead.";
    this.#emit("warn", message, { type: "insecure" });
  }
}
