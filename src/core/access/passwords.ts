// Hashes passwords with scrypt. At most two hashes are computed at once, or one if there is little
// memory, because each takes a third of a second and 128 MiB. Sign-ins from familiar networks have
// their own queue, which is served first, so that guesses from other networks do not lock operators
// out.

import { type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { AppError } from "../../domain/errors.ts";
import type { FillRandom } from "../../lib/random.ts";

export interface ScryptCost {
  /** The base-2 logarithm of scrypt's parameter N. */
  log2N: number;
  r: number;
  p: number;
}

export const defaultScryptCost: ScryptCost = { log2N: 17, r: 8, p: 1 };

/** With less memory, only one hash is computed at once. */
const littleMemoryBytes = 512 * 1024 * 1024;
const maxWaitingPerQueue = 16;
const saltBytes = 16;
const keyBytes = 32;

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

type Queue = "familiar" | "others";

export class Passwords {
  readonly #cost: ScryptCost;
  readonly #fillRandom: FillRandom;
  readonly #mostAtOnce: number;
  #running = 0;
  readonly #waiting: Record<Queue, (() => void)[]> = { familiar: [], others: [] };

  /** `memoryBytes` is how much memory this process can use. */
  constructor(cost: ScryptCost, fillRandom: FillRandom, memoryBytes: number) {
    this.#cost = cost;
    this.#fillRandom = fillRandom;
    this.#mostAtOnce = memoryBytes < littleMemoryBytes ? 1 : 2;
  }

  async hash(password: string): Promise<string> {
    const salt = this.#random(saltBytes);
    // Uses the familiar queue, because only signed-in users and local callers set passwords.
    return this.#stored(salt, await this.#derive(password, salt, this.#cost, "familiar"));
  }

  /** Returns false if `stored` is null (unknown user), after the same time as for a known user. */
  async verify(
    password: string,
    stored: string | null,
    { isFamiliar }: { isFamiliar: boolean },
  ): Promise<boolean> {
    const [, log2N, r, p, salt, key] = (stored ?? this.#decoy()).split("$");
    if (!salt || !key) throw new Error("unknown format of a stored password hash");
    const expected = Buffer.from(key, "base64");
    const cost = { log2N: Number(log2N), r: Number(r), p: Number(p) };
    const queue = isFamiliar ? "familiar" : "others";
    const derived = await this.#derive(password, Buffer.from(salt, "base64"), cost, queue);
    return timingSafeEqual(expected, derived) && stored !== null;
  }

  /** Returns a hash that takes as long to check as a real one, but matches no known password. */
  #decoy(): string {
    return this.#stored(this.#random(saltBytes), this.#random(keyBytes));
  }

  #stored(salt: Buffer, key: Buffer): string {
    const { log2N, r, p } = this.#cost;
    return `scrypt$${log2N}$${r}$${p}$${salt.toString("base64")}$${key.toString("base64")}`;
  }

  get load(): { running: number; waiting: number } {
    const { familiar, others } = this.#waiting;
    return { running: this.#running, waiting: familiar.length + others.length };
  }

  #random(size: number): Buffer {
    const bytes = Buffer.alloc(size);
    this.#fillRandom(bytes);
    return bytes;
  }

  async #derive(password: string, salt: Buffer, cost: ScryptCost, queue: Queue): Promise<Buffer> {
    await this.#enter(queue);
    const { log2N, r, p } = cost;
    const options: ScryptOptions = { N: 2 ** log2N, r, p, maxmem: 256 * 2 ** log2N * r };
    try {
      return await derive(password.normalize("NFKC"), salt, keyBytes, options);
    } finally {
      this.#leave();
    }
  }

  async #enter(queue: Queue): Promise<void> {
    if (this.#running < this.#mostAtOnce) {
      this.#running++;
      return;
    }
    const waiting = this.#waiting[queue];
    if (waiting.length >= maxWaitingPerQueue) {
      const message = "Too many passwords are being checked or set: try again in a moment.";
      throw new AppError("RATE_LIMITED", message, { retryAfterSeconds: 2 });
    }
    // `#leave` hands its slot to this caller, so the count stays the same.
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.familiar.shift() ?? this.#waiting.others.shift();
    if (next) next();
    else this.#running--;
  }
}
