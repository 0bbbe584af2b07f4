// Who watches the live stream, and what they are told. Knows nothing of where news comes from: that
// is stream.ts. While nobody watches it costs one `if` where something changes.

import type { Principal } from "../../domain/principals.ts";
import type { StreamType } from "../../domain/stream.ts";
import { isoTime } from "../../lib/iso-time.ts";
import type { Tx } from "../../store/database.ts";
import type { Outlet } from "../caller.ts";
import type { Doorbell } from "./doorbell.ts";

/** Where the feed waits for news. */
export const feedKey = "feed";

export interface Watcher {
  principal: Principal;
  types: ReadonlySet<StreamType>;
  outlet: Outlet;
}

export class Feed {
  /** Resolves when the place in the trail is known from where on watchers are told; null: at rest. */
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

  /** The last one to leave ends the following. */
  remove(watcher: Watcher): void {
    if (this.#watchers.delete(watcher) && !this.isWatched) this.ring();
  }

  /** There may be news: called after a commit of ours. */
  readonly ring = (): void => this.#doorbell.ring(feedKey);

  /** Another process has written: there may be news, and a watcher's session may have ended. */
  doubt(): void {
    this.#doubted = true;
    this.ring();
  }

  /** Whether there was doubt since the last time. */
  takeDoubt(): boolean {
    const doubted = this.#doubted;
    this.#doubted = false;
    return doubted;
  }

  /** A service has changed in a way that the audit trail may not tell of. */
  noteService(tx: Tx, id: string): void {
    if (!this.isWatched) return;
    tx.afterCommit(() => {
      this.#notedServices.add(id);
      this.ring();
    });
  }

  /** The services noted since the last time. */
  takeNotedServices(): Set<string> {
    const noted = this.#notedServices;
    this.#notedServices = new Set();
    return noted;
  }

  wants(type: StreamType): boolean {
    for (const watcher of this.#watchers) if (watcher.types.has(type)) return true;
    return false;
  }

  /** Tells everybody who wants it, in one form for all. `at` is Unix milliseconds. */
  publish(type: StreamType, at: number, data: object): void {
    if (!this.wants(type)) return;
    const message = Buffer.from(JSON.stringify({ type, at: isoTime(at), data }));
    for (const { types, outlet } of this.#watchers) if (types.has(type)) outlet.send(message);
  }
}
