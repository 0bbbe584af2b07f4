// Follows the audit trail: passes on each row once and in order, even after a lost connection.

import type { Client, StreamMessage } from "../../../client/client.ts";
import { keepWatching, type News } from "../../../client/keep-watching.ts";
import { pageSize } from "../../../domain/limits.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { type AuditEvent, type AuditFilters, letsThrough } from "./filters.ts";

export interface TrailOptions {
  filters: AuditFilters;
  /** The number of the last row that was read; 0 before the first row. */
  position: number;
  /** Receives the rows in order. After a temporary failure, receives the same rows again. */
  take: (rows: AuditEvent[]) => Promise<void>;
  /** The maximum number of rows per call of `take`; one page by default. */
  takesAtOnce?: number;
  io: Io;
  signal: AbortSignal;
}

/** Returns only by throwing: the signal's reason, or a permanent error. */
export async function followTrail(api: Client, options: TrailOptions): Promise<never> {
  const { io, signal } = options;
  const follower = new Follower(api, options);
  const news = keepWatching(api, {
    types: ["audit"],
    onOpen: () => follower.catchUp(),
    onMessage: (message) => follower.apply(message),
    signal,
    random: Math.random,
  });
  const noteConnection = connectionNotes(io, "nothing was missed");
  while (true) noteConnection((await news.next()).value);
}

export function connectionNotes(io: Io, whenLive: string): (news: News) => void {
  let isLost = false;
  return (news) => {
    if (news.kind === "lost" && !isLost) {
      io.note(`Not live: ${printableLine(news.reason)}. Trying again.\n`);
    } else if (news.kind !== "lost" && isLost) io.note(`Live again; ${whenLive}.\n`);
    isLost = news.kind === "lost";
  };
}

/** Returns the number of the newest row; 0 if there is none. */
export async function headOfTrail(api: Client): Promise<number> {
  const [newest] = await api.call("audit-events.list", { query: { pageSize: 1 } });
  return newest?.seq ?? 0;
}

class Follower {
  readonly #api: Client;
  readonly #options: TrailOptions;
  #position: number;

  constructor(api: Client, options: TrailOptions) {
    this.#api = api;
    this.#options = options;
    this.#position = options.position;
  }

  async catchUp(): Promise<void> {
    const { filters, take, takesAtOnce = pageSize.max, io } = this.#options;
    const head = await headOfTrail(this.#api);
    if (head < this.#position) {
      io.note(
        `The trail now ends at row ${head}, although row ${this.#position} was already printed.\n`,
      );
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
      // The server can end a long search before the page is full. Older servers return no `next`.
      const { next } = pagination;
      if (next !== undefined) this.#position = Math.max(this.#position, Number(next));
      else if (rows.length < pageSize.max) return;
    }
  }

  async apply(message: StreamMessage): Promise<void> {
    if (message.type !== "audit") return;
    const row = message.data;
    if (row.seq <= this.#position) return;
    if (letsThrough(this.#options.filters, row)) await this.#options.take([row]);
    this.#position = row.seq;
  }
}
