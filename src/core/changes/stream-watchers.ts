// The watchers of the live stream. Without watchers, a commit costs a single `if`.

import { type Principal, roleOf } from "../../domain/access/principals.ts";
import type { StreamType } from "../../domain/stream.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { StreamOutput } from "../caller.ts";
import type { Doorbell } from "./doorbell.ts";

export const feedKey = "feed";

export interface Watcher {
  principal: Principal;
  types: ReadonlySet<StreamType>;
  outlet: StreamOutput;
}

export class Feed {
  /** Resolves when the start position in the audit trail is known; null while nobody watches. */
  following: Promise<void> | null = null;
  readonly #doorbell: Doorbell;
  readonly #watchers = new Set<Watcher>();
  #notedServices = new Set<string>();
  #doubted = false;

  constructor(doorbell: Doorbell) {
    this.#doorbell = doorbell;
  }

  get isWatched(): boolean {
    return this.#watchers.size > 0;
  }

  get watchers(): ReadonlySet<Watcher> {
    return this.#watchers;
  }

  add(watcher: Watcher): void {
    this.#watchers.add(watcher);
  }

  /** When the last watcher leaves, the feed stops. */
  remove(watcher: Watcher): void {
    if (this.#watchers.delete(watcher) && !this.isWatched) this.ring();
  }

  /** Must be called after each commit that adds audit rows. */
  ring(): void {
    this.#doorbell.ring(feedKey);
  }

  /** Rechecks all watchers, because another process may have ended a session. */
  doubt(): void {
    this.#doubted = true;
    this.ring();
  }

  /** Whether `doubt` was called since the last `takeDoubt`. */
  takeDoubt(): boolean {
    const doubted = this.#doubted;
    this.#doubted = false;
    return doubted;
  }

  /** Notes that a service has changed. The change may have no audit row. */
  noteService(id: string): void {
    this.#notedServices.add(id);
    this.ring();
  }

  takeNotedServices(): Set<string> {
    const noted = this.#notedServices;
    this.#notedServices = new Set();
    return noted;
  }

  wants(type: StreamType): boolean {
    for (const watcher of this.#watchers) if (watcher.types.has(type)) return true;
    return false;
  }

  /** `at` is in Unix milliseconds. Owners get `forOwners` instead of `data`, if it is given. */
  publish(type: StreamType, at: number, data: object, forOwners?: object): void {
    if (!this.wants(type)) return;
    const message = messageOf(type, at, data);
    const ofOwners = forOwners === undefined ? message : messageOf(type, at, forOwners);
    for (const { types, outlet, principal } of this.#watchers) {
      if (types.has(type)) outlet.send(roleOf(principal) === "owner" ? ofOwners : message);
    }
  }
}

function messageOf(type: StreamType, at: number, data: object): Buffer {
  return Buffer.from(JSON.stringify({ type, at: isoTime(at), data }));
}
