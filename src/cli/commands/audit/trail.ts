// Follows the audit trail while it grows: each row exactly once and in order, however often the connection
// is lost: it goes on behind the last one. What a row means is not known here.

import type { Client, StreamMessage } from "../../../client/client.ts";
import { keepWatching } from "../../../client/keep-watching.ts";
import { pageSize } from "../../../domain/limits.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { type AuditEvent, type AuditFilters, letsThrough } from "./filters.ts";

export interface TrailOptions {
  /** Which rows are wanted. */
  filters: AuditFilters;
  /** The number of the last row that is not wanted any more; 0 when all are. */
  position: number;
  /**
   * Gets the rows that come, in order. When it fails in a way that passes by itself, it gets the same
   * rows again later.
   */
  take: (rows: AuditEvent[]) => Promise<void>;
  /** How many rows it gets in one go; few where each takes long. Absent: a page of them. */
  takesAtOnce?: number;
  io: Io;
  signal: AbortSignal;
}

/** Ends only by throwing: the signal's reason, or what will not pass by itself. */
export async function followTrail(api: Client, options: TrailOptions): Promise<never> {
  const { io, signal } = options;
  const follower = new Follower(api, options);
  const news = keepWatching(api, {
    types: ["audit"],
    onOpen: () => follower.catchUp(),
    onMessage: (message) => follower.hear(message),
    signal,
    random: Math.random,
  });
  let isLost = false;
  while (true) {
    const { value } = await news.next();
    if (value.kind === "lost") {
      if (!isLost) io.note(`Not live: ${printableLine(value.reason)}. Trying again.\n`);
      isLost = true;
    } else if (isLost) {
      io.note("Live again; nothing was missed.\n");
      isLost = false;
    }
  }
}

/** The number of the newest row; 0 when there is none. */
export async function headOfTrail(api: Client): Promise<number> {
  const [newest] = await api.call("audit-events.list", { query: { pageSize: 1 } });
  return newest?.seq ?? 0;
}

/** A place in the trail: what stands before it is taken, or not wanted. */
class Follower {
  readonly #api: Client;
  readonly #options: TrailOptions;
  #position: number;

  constructor(api: Client, options: TrailOptions) {
    this.#api = api;
    this.#options = options;
    this.#position = options.position;
  }

  /** Takes what stands behind the position. */
  async catchUp(): Promise<void> {
    const { filters, take, takesAtOnce = pageSize.max, io } = this.#options;
    const head = await headOfTrail(this.#api);
    if (head < this.#position) {
      io.note(`The trail ends at row ${head} now, before row ${this.#position} that was seen.\n`);
      this.#position = head;
    }
    while (true) {
      const query = { ...filters, afterSeq: this.#position, pageSize: pageSize.max };
      const { data: rows, pagination } = await this.#api.page("audit-events.list", { query });
      for (let at = 0; at < rows.length; at += takesAtOnce) {
        const some = rows.slice(at, at + takesAtOnce);
        await take(some);
        this.#position = some.at(-1)?.seq ?? this.#position;
      }
      // Where few rows fit, the search stops before the page is full. Older servers say nothing of `next`.
      const { next } = pagination;
      if (next !== undefined) this.#position = Math.max(this.#position, Number(next));
      else if (rows.length < pageSize.max) return;
    }
  }

  /** What was told live may have been read already. */
  async hear(message: StreamMessage): Promise<void> {
    if (message.type !== "audit") return;
    const row = message.data;
    if (row.seq <= this.#position) return;
    if (letsThrough(this.#options.filters, row)) await this.#options.take([row]);
    this.#position = row.seq;
  }
}
