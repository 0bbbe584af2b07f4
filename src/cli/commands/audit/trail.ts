// Follows the audit trail: passes on each row once and in order, even after a lost connection.

import type { Client, StreamMessage } from "../../../client/client.ts";
import { keepWatching, type News } from "../../../client/keep-watching.ts";
import { pageSize } from "../../../domain/limits.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { type AuditEvent, type AuditFilters, matchesFilters } from "./filters.ts";

interface TrailOptions {
  filters: AuditFilters;
  /** The number of the last row that was read; 0 before the first row. */
  position: number;
  /** Receives the rows in order. If it throws a temporary error, it gets the same rows again. */
  take: (rows: AuditEvent[]) => Promise<void>;
  /** The maximum number of rows per call of `take`; one page by default. */
  takesAtOnce?: number;
  io: Io;
  signal: AbortSignal;
}

/** Returns only by throwing: the signal's reason, or a permanent error. */
export async function followTrail(api: Client, options: TrailOptions): Promise<never> {
  const { filters, take, takesAtOnce = pageSize.max, io, signal } = options;
  let { position } = options;

  async function catchUp(): Promise<void> {
    const head = await headOfTrail(api);
    if (head < position) {
      io.note(`The trail now ends at row ${head}, although row ${position} was already printed.\n`);
      position = head;
    }
    while (true) {
      const query = { ...filters, afterSeq: position, pageSize: pageSize.max };
      const { data: rows, pagination } = await api.page("audit-events.list", { query });
      for (let at = 0; at < rows.length; at += takesAtOnce) {
        const some = rows.slice(at, at + takesAtOnce);
        await take(some);
        position = some.at(-1)?.seq ?? position;
      }
      // The server can end a long search before the page is full. Older servers return no `next`.
      const { next } = pagination;
      if (next !== undefined) position = Math.max(position, Number(next));
      else if (rows.length < pageSize.max) return;
    }
  }

  async function apply(message: StreamMessage): Promise<void> {
    if (message.type !== "audit") return;
    const row = message.data;
    if (row.seq <= position) return;
    if (matchesFilters(filters, row)) await take([row]);
    position = row.seq;
  }

  const listening = { types: ["audit"] as const, onOpen: catchUp, onMessage: apply };
  const news = keepWatching(api, { ...listening, signal, random: Math.random });
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
