// Follows the audit trail: passes on each row once and in order, even after a lost connection.

import type { Client, StreamMessage } from "../../../client/client.ts";
import { keepWatching, type News } from "../../../client/keep-watching.ts";
import { hasLost } from "../../../domain/audit/audit-events.ts";
import { pageSize } from "../../../domain/limits.ts";
import { printableLine } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { type AuditEvent, type AuditFilters, matchesFilters } from "./filters.ts";

interface TrailOptions {
  filters: AuditFilters;
  /** The last row that was read; undefined before the first row. */
  last: AuditEvent | undefined;
  /** Receives the rows in order. If it throws a temporary error, it gets the same rows again. */
  take: (rows: AuditEvent[]) => Promise<void>;
  /** The maximum number of rows per call of `take`; one page by default. */
  takesAtOnce?: number;
  io: Io;
  signal: AbortSignal;
}

/** Never returns. Throws the signal's reason, or a permanent error. */
export async function followTrail(api: Client, options: TrailOptions): Promise<never> {
  const { filters, take, takesAtOnce = pageSize.max, io, signal } = options;
  /** The newest row that the server has sent. If it is gone, rows were lost. */
  let newest = options.last;
  let position = newest?.seq ?? 0;

  function remember(row: AuditEvent): void {
    if (row.seq > (newest?.seq ?? 0)) newest = row;
  }

  async function catchUp(): Promise<void> {
    const head = await headOfTrail(api);
    if (newest && (await isLost(api, newest))) {
      const { seq, at } = newest;
      // The rows that replaced the lost ones cannot be older than the newest lost row.
      const [kept] = await api.call("audit-events.list", { query: { to: at, pageSize: 1 } });
      position = Math.min(position, kept?.seq ?? 0);
      io.note(
        `Row ${seq} of the trail is gone, so the database was restored or has lost changes. ` +
          `The rows after row ${position} follow.\n`,
      );
    }
    newest = head;
    while (true) {
      const query = { ...filters, afterSeq: position, pageSize: pageSize.max };
      const { data: rows, pagination } = await api.page("audit-events.list", { query });
      for (let at = 0; at < rows.length; at += takesAtOnce) {
        const some = rows.slice(at, at + takesAtOnce);
        await take(some);
        const last = some.at(-1) as AuditEvent;
        remember(last);
        position = last.seq;
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
    if (newest && hasLost(newest, row)) return catchUp();
    remember(row);
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

async function isLost(api: Client, row: AuditEvent): Promise<boolean> {
  const query = { afterSeq: row.seq - 1, pageSize: 1 };
  const [first] = await api.call("audit-events.list", { query });
  return hasLost(row, first);
}

/** Returns the newest row. */
export async function headOfTrail(api: Client): Promise<AuditEvent | undefined> {
  const [newest] = await api.call("audit-events.list", { query: { pageSize: 1 } });
  return newest;
}
