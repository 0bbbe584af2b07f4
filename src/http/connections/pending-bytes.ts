// Limits request bodies in progress and unread responses.
// (docs/decisions/0015-limits-on-clients.md)

import type { ServerResponse } from "node:http";
import type { LimitWatch, Usage } from "../../core/limits/limit-watch.ts";
import { bodyLimitBytes } from "../../domain/limits.ts";
import { clientNetwork } from "../../lib/addresses.ts";
import { FinalRefusal } from "../refusals.ts";
import type { ListenerLimits } from "./limits.ts";

/** Smaller bodies, such as heartbeats and most results, do not count. */
const freeBodyBytes = 4 * 1024;
const anonymousPart = 1 / 4; // for all callers without a credential
/** The share of one credential, or of all callers without a credential at one address. */
const onePart = 1 / 16;

/** One body. `expect` and `add` throw UNAVAILABLE if they would exceed a limit. */
export interface PendingBody {
  /** Reserves the announced size. */
  expect(bytes: number): void;
  /** Counts received bytes. */
  add(bytes: number): void;
  release(): void;
}

export class PendingBodies {
  readonly #most: number;
  readonly #mostOfOne: number;
  readonly #mostOfAnonymous: number;
  readonly #watch: LimitWatch;
  readonly #byOwner = new Map<string, number>();
  #anonymous = 0;
  #all = 0;

  constructor({ maxPendingBodyBytes, largestBodyBytes }: ListenerLimits, watch: LimitWatch) {
    this.#most = maxPendingBodyBytes;
    // A body of the permitted size always fits if no other body is in progress.
    this.#mostOfOne = Math.max(maxPendingBodyBytes * onePart, largestBodyBytes);
    this.#mostOfAnonymous = Math.max(maxPendingBodyBytes * anonymousPart, bodyLimitBytes.register);
    this.#watch = watch;
  }

  get usage(): Usage {
    return { used: this.#all, allowed: this.#most };
  }

  /** Assigns the body to the credential of its sender, or to the address if there is none. */
  open(credential: string | null, ip: string | null): PendingBody {
    const isAnonymous = credential === null;
    const owner = credential ?? clientNetwork(ip ?? "");
    let arrived = 0;
    let taken = 0;
    const expect = (bytes: number) => {
      if (bytes <= freeBodyBytes || bytes <= taken) return;
      this.#take(bytes - taken, owner, isAnonymous);
      taken = bytes;
    };
    return {
      expect,
      add(bytes) {
        arrived += bytes;
        expect(arrived);
      },
      release: () => {
        if (taken > 0) this.#giveBack(taken, owner, isAnonymous);
        taken = 0;
      },
    };
  }

  #take(bytes: number, owner: string, isAnonymous: boolean): void {
    const own = (this.#byOwner.get(owner) ?? 0) + bytes;
    const anonymous = this.#anonymous + (isAnonymous ? bytes : 0);
    if (
      own > this.#mostOfOne ||
      anonymous > this.#mostOfAnonymous ||
      this.#all + bytes > this.#most
    ) {
      this.#watch.note("pendingBodies", { owner });
      const message = "Too many large requests are in progress. Retry soon.";
      throw new FinalRefusal("UNAVAILABLE", message, { retryAfterSeconds: 2 });
    }
    this.#byOwner.set(owner, own);
    this.#anonymous = anonymous;
    this.#all += bytes;
  }

  #giveBack(bytes: number, owner: string, isAnonymous: boolean): void {
    const own = (this.#byOwner.get(owner) ?? 0) - bytes;
    if (own > 0) this.#byOwner.set(owner, own);
    else this.#byOwner.delete(owner);
    if (isAnonymous) this.#anonymous -= bytes;
    this.#all -= bytes;
  }
}

const smallResponseBytes = 16 * 1024; // fits into the system's buffers

/** Closes the connections with the oldest unread responses when they exceed the limit. */
export class PendingOutput {
  readonly #most: number;
  readonly #watch: LimitWatch;
  readonly #responses = new Map<ServerResponse, number>(); // oldest first
  #all = 0;

  constructor(most: number, watch: LimitWatch) {
    this.#most = most;
    this.#watch = watch;
  }

  get usage(): Usage {
    return { used: this.#all, allowed: this.#most };
  }

  /** Must be called before these bytes are sent. */
  add(response: ServerResponse, bytes: number): void {
    const unread = response.writableLength + bytes;
    const isNew = !this.#responses.has(response);
    if (response.destroyed || (isNew && unread <= smallResponseBytes)) return;
    this.#remove(response);
    for (const [oldest, ofOldest] of this.#responses) {
      if (this.#all + unread <= this.#most) break;
      if (ofOldest === 0) continue;
      this.#watch.note("pendingOutput");
      this.#remove(oldest);
      oldest.req.socket.destroy();
    }
    this.#responses.set(response, unread);
    this.#all += unread;
    if (isNew) response.once("close", () => this.#remove(response));
  }

  /** Must be called when the client has read most of what was sent, if more may follow. */
  noteRead(response: ServerResponse): void {
    const bytes = this.#responses.get(response);
    if (bytes === undefined) return;
    this.#responses.set(response, 0);
    this.#all -= bytes;
  }

  #remove(response: ServerResponse): void {
    this.#all -= this.#responses.get(response) ?? 0;
    this.#responses.delete(response);
  }
}
