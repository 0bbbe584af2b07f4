import type { Client } from "../../../client/client.ts";
import { pageSize } from "../../../domain/limits.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { growingOutput } from "../../output/growing-output.ts";
import { type PageQuery, pageAfter, printWhole } from "../../output/listing.ts";
import { type AuditEvent, type AuditFilters, auditFiltersOf, withIds } from "./filters.ts";
import { auditEventView } from "./list.ts";
import { followTrail, headOfTrail } from "./trail.ts";

export async function tailAuditEvents({ io, options, client, signal }: Invocation): Promise<void> {
  const { follow, lines } = options as unknown as { follow?: boolean; lines: number };
  const asked = auditFiltersOf(io, options);
  if (follow && asked.to !== undefined) throw usageError("--follow has no end: leave out --to.");
  const api = await client();
  const filters = await withIds(api, asked);
  if (!follow) {
    const newest = await newestEvents(api, filters, lines);
    printWhole({ io, options }, newest, auditEventView, filters);
    return;
  }
  const take = growingOutput(io, options, auditEventView, signal);
  // Reads the newest row first, so that rows written between the two reads are not missed.
  const head = await headOfTrail(api);
  const newest = await newestEvents(api, filters, lines);
  const printed = newest.at(-1);
  const last = printed && printed.seq > (head?.seq ?? 0) ? printed : head;
  await take(newest);
  await followTrail(api, { filters, last, take, io, signal });
}

/** Returns the newest `count` matching events, oldest first. */
async function newestEvents(
  api: Client,
  filters: AuditFilters,
  count: number,
): Promise<AuditEvent[]> {
  const events = new Map<number, AuditEvent>();
  let page: PageQuery | null = { page: 1, pageSize: Math.min(Math.max(count, 1), pageSize.max) };
  while (page && events.size < count) {
    const query = { ...filters, ...page };
    const { data, pagination } = await api.page("audit-events.list", { query });
    // New events move earlier rows to the next page, so a row can be read twice.
    for (const event of data) events.set(event.seq, event);
    page = pageAfter(page, pagination);
  }
  return [...events.values()].slice(0, count).reverse();
}
