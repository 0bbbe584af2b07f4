// Streams the audit trail as a file: JSON, JSON lines or CSV.

import { setImmediate as nextTurn } from "node:timers/promises";
import { type Role, roleOf } from "../../domain/access/principals.ts";
import type { AuditEvent, ExportFormat } from "../../domain/audit/audit-events.ts";
import { csvColumnsOf } from "../../domain/route-facts.ts";
import { csvRecord, csvRow, csvType } from "../../lib/csv.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { auditHead, endOfNextRows, filterAuditEvents } from "../../store/audit/audit-events.ts";
import type { AuditFilter } from "../../store/audit/filters.ts";
import type { Reader } from "../../store/database.ts";
import { bulkReader, type Ctx } from "../context.ts";
import { type AuditEventView, toAuditEventView } from "./audit-events.ts";
import { auditRepeated } from "./repeated-events.ts";

const rowsPerTurn = 100;

interface Writer {
  contentType: string;
  begin?: string;
  row: (event: AuditEventView) => string;
  between?: string;
  end?: string;
}

const csvHead = csvColumnsOf("audit-events.list");

const writers: Record<ExportFormat, Writer> = {
  json: {
    contentType: "application/json; charset=utf-8",
    begin: "[\n",
    row: (event) => JSON.stringify(event),
    between: ",\n",
    end: "\n]\n",
  },
  jsonl: {
    contentType: "application/x-ndjson; charset=utf-8",
    row: (event) => `${JSON.stringify(event)}\n`,
  },
  csv: {
    contentType: csvType,
    begin: csvRecord(csvHead),
    row: (event) => csvRow(csvHead, event),
  },
};

/** Covers the rows that exist when the export starts, except those pruned before they are read. */
export async function exportAuditEvents(ctx: Ctx, format: ExportFormat, filter: AuditFilter) {
  const { db, now } = ctx.core;
  const upTo = await db.write(async (tx) => {
    const head = await auditHead(tx);
    const metadata = { format, filters: namedFilters(filter) };
    await auditRepeated(ctx, tx, { action: "audit.exported", targetId: null, metadata }, format);
    return head?.seq ?? 0;
  });
  const writer = writers[format];
  return {
    contentType: writer.contentType,
    fileName: `audit-events-${isoTime(now()).slice(0, 10)}.${format}`,
    chunks: write(writer, roleOf(ctx.principal), read(bulkReader(ctx, "stream"), filter, upTo)),
  };
}

function namedFilters(filter: AuditFilter): Record<string, string> {
  const given = Object.entries(filter).filter(([, value]) => value !== undefined);
  const named = given.map(([name, value]) => [
    name,
    typeof value === "number" ? isoTime(value) : value,
  ]);
  return Object.fromEntries(named);
}

async function* read(
  db: Reader,
  filter: AuditFilter,
  upTo: number,
): AsyncGenerator<AuditEvent[], void> {
  let after = 0;
  while (true) {
    const end = await endOfNextRows(db, { after, upTo }, rowsPerTurn);
    if (end === undefined) return;
    yield await filterAuditEvents(db, { after, upTo: end }, filter);
    after = end;
    await nextTurn();
  }
}

async function* write(
  { begin, row, between = "", end }: Writer,
  role: Role | null,
  batches: AsyncIterable<AuditEvent[]>,
): AsyncGenerator<string, void> {
  if (begin) yield begin;
  let before = "";
  for await (const events of batches) {
    if (events.length === 0) continue;
    yield before + events.map((event) => row(toAuditEventView(event, role))).join(between);
    before = between;
  }
  if (end) yield end;
}
