// How much of the server's memory and time clients can use: bytes of request bodies in progress,
// bytes of unread responses, and requests per credential. connections.ts limits connections.
// docs/configuration.md has the defaults and their costs.
// (docs/decisions/0015-limits-on-clients.md)

import type { ServerResponse } from "node:http";
import type { LimitWatch, Usage } from "../../core/monitoring/limit-watch.ts";
import { bodyLimitBytes } from "../../domain/limits.ts";
import { clientNetwork } from "../../lib/addresses.ts";
import { FinalRefusal } from "../refusals.ts";
import type { WantedConnections } from "./limits.ts";

export interface Budgets extends WantedConnections {
  /** The maximum for all requests together, in bytes. */
  maxPendingBodyBytes: number;
  /** The maximum for all connections together, in bytes. */
  maxPendingOutputBytes: number;
  /** How long a client can go without reading its response before the connection is closed. */
  stalledOutputSeconds: number;
  /** The limit for each credential; 0 means no limit. */
  maxRequestsPerSecond: number;
  /** The largest body that any route accepts. */
  largestBodyBytes: number;
}

/**
 * Smaller bodies do not count, so heartbeats and results are accepted even when the budget is used
 * up.
 */
const freeBodyBytes = 4 * 1024;
/** The share of the budget that all callers without a credential have together. */
const anonymousPart = 1 / 4;
/**
 * The share of the budget for one credential, or for the callers without a credential at one
 * address.
 */
const onePart = 1 / 16;

/**
 * The bodies in progress. A request reserves its announced or received bytes until it has a
 * response.
 */
export class PendingBodies {
  readonly #most: number;
  readonly #mostOfOne: number;
  readonly #mostOfAnonymous: number;
  readonly #watch: LimitWatch;
  readonly #byOwner = new Map<string, number>();
  #anonymous = 0;
  #all = 0;

  constructor({ maxPendingBodyBytes, largestBodyBytes }: Budgets, watch: LimitWatch) {
    this.#most = maxPendingBodyBytes;
    // If no other body is in progress, a body of the permitted size always fits.
    this.#mostOfOne = Math.max(maxPendingBodyBytes * onePart, largestBodyBytes);
    this.#mostOfAnonymous = Math.max(maxPendingBodyBytes * anonymousPart, bodyLimitBytes.register);
    this.#watch = watch;
  }

  get usage(): Usage {
    return { used: this.#all, allowed: this.#most };
  }

  /**
   * Creates the reservation of one request, which counts by its credential, or else by its address.
   */
  open(credential: string | null, ip: string | null): PendingBody {
    if (credential !== null) return new PendingBody(this, credential, false);
    return new PendingBody(this, clientNetwork(ip ?? ""), true);
  }

  /** Throws UNAVAILABLE if a budget would be exceeded. */
  take(bytes: number, owner: string, isAnonymous: boolean): void {
    const own = (this.#byOwner.get(owner) ?? 0) + bytes;
    const anonymous = this.#anonymous + (isAnonymous ? bytes : 0);
    if (
      own > this.#mostOfOne ||
      anonymous > this.#mostOfAnonymous ||
      this.#all + bytes > this.#most
    ) {
      this.#watch.note("pendingBodies", { owner });
      throw new FinalRefusal(
        "UNAVAILABLE",
        "Too many large requests are in progress. Retry soon.",
        {
          retryAfterSeconds: 2,
        },
      );
    }
    this.#byOwner.set(owner, own);
    this.#anonymous = anonymous;
    this.#all += bytes;
  }

  giveBack(bytes: number, owner: string, isAnonymous: boolean): void {
    const own = (this.#byOwner.get(owner) ?? 0) - bytes;
    if (own > 0) this.#byOwner.set(owner, own);
    else this.#byOwner.delete(owner);
    if (isAnonymous) this.#anonymous -= bytes;
    this.#all -= bytes;
  }
}

/** The bytes that one request's body has reserved. */
export class PendingBody {
  readonly #bodies: PendingBodies;
  readonly #owner: string;
  readonly #isAnonymous: boolean;
  #arrived = 0;
  #taken = 0;

  constructor(bodies: PendingBodies, owner: string, isAnonymous: boolean) {
    this.#bodies = bodies;
    this.#owner = owner;
    this.#isAnonymous = isAnonymous;
  }

  /** Reserves announced bytes. Throws UNAVAILABLE if a budget would be exceeded. */
  expect(bytes: number): void {
    if (bytes <= freeBodyBytes || bytes <= this.#taken) return;
    this.#bodies.take(bytes - this.#taken, this.#owner, this.#isAnonymous);
    this.#taken = bytes;
  }

  /** Counts received bytes. Throws UNAVAILABLE if a budget would be exceeded. */
  add(bytes: number): void {
    this.#arrived += bytes;
    this.expect(this.#arrived);
  }

  release(): void {
    if (this.#taken === 0) return;
    this.#bodies.giveBack(this.#taken, this.#owner, this.#isAnonymous);
    this.#taken = 0;
  }
}

/** Smaller responses fit into the system's buffers. */
const smallResponseBytes = 16 * 1024;

/**
 * The unread responses. If they exceed the budget, the connections with the oldest ones are closed.
 */
export class PendingOutput {
  readonly #most: number;
  readonly #watch: LimitWatch;
  /** The responses, oldest first. */
  readonly #responses = new Map<ServerResponse, number>();
  #all = 0;

  constructor(most: number, watch: LimitWatch) {
    this.#most = most;
    this.#watch = watch;
  }

  get usage(): Usage {
    return { used: this.#all, allowed: this.#most };
  }

  /** Counts a response before it is sent. */
  add(response: ServerResponse, bytes: number): void {
    if (bytes <= smallResponseBytes) return;
    for (const [oldest] of this.#responses) {
      if (this.#all + bytes <= this.#most) break;
      this.#watch.note("pendingOutput");
      this.#remove(oldest);
      oldest.req.socket.destroy();
    }
    this.#responses.set(response, bytes);
    this.#all += bytes;
    response.once("close", () => this.#remove(response));
  }

  #remove(response: ServerResponse): void {
    this.#all -= this.#responses.get(response) ?? 0;
    this.#responses.delete(response);
  }
}
