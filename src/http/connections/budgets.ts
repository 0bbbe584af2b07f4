// What clients may use of the server's memory and time: bytes of request bodies that have arrived and are
// not dealt with, bytes of answers that nobody has read yet, and requests by credential. Connections are
// in connections.ts. Defaults and what they cost: docs/configuration.md.
// (docs/decisions/0015-limits-on-clients.md)

import type { ServerResponse } from "node:http";
import type { LimitWatch, Usage } from "../../core/memory/limit-watch.ts";
import { AppError } from "../../domain/errors.ts";
import { bodyLimitBytes } from "../../domain/limits.ts";
import { clientNetwork } from "../../lib/addresses.ts";
import { LastWord } from "../refusals.ts";
import type { WantedConnections } from "./limits.ts";

export interface Budgets extends WantedConnections {
  /** Of all requests together. */
  maxPendingBodyBytes: number;
  /** Of all connections together. */
  maxPendingOutputBytes: number;
  /** An answer of which nothing is read for so long is cut off with its connection. */
  stalledOutputSeconds: number;
  /** Of one credential; 0: no limit. */
  maxRequestsPerSecond: number;
  /** The largest body that any route takes. */
  largestBodyBytes: number;
}

/** A body of this size or less is not counted: heartbeats and results get through when all else is full. */
const freeBodyBytes = 4 * 1024;
/** Of the budget for bodies: what callers may take who have not shown yet who they are. */
const anonymousPart = 1 / 4;
/** Of the budget for bodies: what one credential, or one address without a credential, may take. */
const onePart = 1 / 16;

/**
 * The bodies in flight. A request reserves what it announces, or else what arrives, and gives it back when
 * it is answered.
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
    // Whatever is permitted by itself gets through.
    this.#mostOfOne = Math.max(maxPendingBodyBytes * onePart, largestBodyBytes);
    this.#mostOfAnonymous = Math.max(maxPendingBodyBytes * anonymousPart, bodyLimitBytes.register);
    this.#watch = watch;
  }

  get usage(): Usage {
    return { used: this.#all, allowed: this.#most };
  }

  /** For one request, of a credential or, without one, of an address. */
  open(credential: string | null, ip: string | null): PendingBody {
    if (credential !== null) return new PendingBody(this, credential, false);
    return new PendingBody(this, clientNetwork(ip ?? ""), true);
  }

  /** Throws UNAVAILABLE when that is more than may wait. */
  take(bytes: number, owner: string, isAnonymous: boolean): void {
    const own = (this.#byOwner.get(owner) ?? 0) + bytes;
    const anonymous = this.#anonymous + (isAnonymous ? bytes : 0);
    if (
      own > this.#mostOfOne ||
      anonymous > this.#mostOfAnonymous ||
      this.#all + bytes > this.#most
    ) {
      this.#watch.note("pendingBodies", { owner });
      throw new LastWord("UNAVAILABLE", "Too many large requests at once: try again soon.", {
        retryAfterSeconds: 2,
      });
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

/** What one request's body has taken. */
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

  /** So many are announced. Throws UNAVAILABLE when there is no room for them. */
  expect(bytes: number): void {
    if (bytes <= freeBodyBytes || bytes <= this.#taken) return;
    this.#bodies.take(bytes - this.#taken, this.#owner, this.#isAnonymous);
    this.#taken = bytes;
  }

  /** So many more have arrived. Throws UNAVAILABLE when there is no room for them. */
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

/** An answer of this size or less finds room in the system's own buffers. */
const smallAnswerBytes = 16 * 1024;

/** Answers that are not read yet. When there are too many bytes of them, the oldest are cut off. */
export class PendingOutput {
  readonly #most: number;
  readonly #watch: LimitWatch;
  /** Oldest first. */
  readonly #answers = new Map<ServerResponse, number>();
  #all = 0;

  constructor(most: number, watch: LimitWatch) {
    this.#most = most;
    this.#watch = watch;
  }

  get usage(): Usage {
    return { used: this.#all, allowed: this.#most };
  }

  /** An answer of so many bytes is about to be sent. */
  add(response: ServerResponse, bytes: number): void {
    if (bytes <= smallAnswerBytes) return;
    for (const [oldest] of this.#answers) {
      if (this.#all + bytes <= this.#most) break;
      this.#watch.note("pendingOutput");
      this.#remove(oldest);
      oldest.req.socket.destroy();
    }
    this.#answers.set(response, bytes);
    this.#all += bytes;
    response.once("close", () => this.#remove(response));
  }

  #remove(response: ServerResponse): void {
    this.#all -= this.#answers.get(response) ?? 0;
    this.#answers.delete(response);
  }
}

/** Counted in windows of this length: a client may be busy for a while. */
const rateWindowMs = 10_000;

/** Requests by credential. */
export class RequestRate {
  readonly #most: number;
  readonly #watch: LimitWatch;
  readonly #monotonic: () => number;
  #counts = new Map<string, number>();
  #windowEnds = 0;

  constructor(perSecond: number, watch: LimitWatch, monotonic: () => number) {
    this.#most = (perSecond * rateWindowMs) / 1000;
    this.#watch = watch;
    this.#monotonic = monotonic;
  }

  /** Counts a request of this credential. Throws RATE_LIMITED when it has made too many. */
  require(credential: string | null): void {
    if (this.#most === 0 || credential === null) return;
    const now = this.#monotonic();
    if (now >= this.#windowEnds) {
      this.#counts = new Map();
      this.#windowEnds = now + rateWindowMs;
    }
    const count = (this.#counts.get(credential) ?? 0) + 1;
    this.#counts.set(credential, count);
    if (count <= this.#most) return;
    this.#watch.note("requestsPerCredential", { credential });
    throw new AppError("RATE_LIMITED", "Too many requests with this credential: slow down.", {
      retryAfterSeconds: Math.max(1, (this.#windowEnds - now) / 1000),
    });
  }
}
