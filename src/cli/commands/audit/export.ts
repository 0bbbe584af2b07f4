import { type ExportFormat, exportFormats } from "../../../domain/audit/audit-events.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { orAborted } from "../../../lib/time-limit.ts";
import type { Invocation } from "../../command.ts";
import { databaseWorkedOn } from "../../connecting/destination.ts";
import { NewFile } from "../../files/new-file.ts";
import { printableJson, printableLines } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { type Progress, startProgress } from "../../terminal/progress.ts";
import { auditFiltersOf, withIds } from "./filters.ts";

/**
 * With a filter that matches few rows, the server can search for a long time between two chunks.
 */
const timeoutMs = 600_000;

interface ExportOptions {
  format?: ExportFormat;
  out?: string;
  force?: boolean;
}

type Sink = (bytes: Uint8Array) => Promise<void>;

/** The file gets its final name only when the export is complete. */
export async function exportAuditEvents(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const { out, force = false } = options as ExportOptions;
  if (out === undefined || out === "-") {
    await transfer(invocation, stdoutOf(io, formatOf(options as ExportOptions)), "stdout");
    return;
  }
  const database = await databaseWorkedOn(io, options);
  using file = new NewFile(out, force, database);
  const size = await transfer(invocation, (bytes) => file.write(bytes), out);
  await file.flush();
  file.finish();
  io.note(`${out}: ${formatBytes(size)}\n`);
}

/** CSV has no escapes, so its control characters are escaped only for a terminal. */
function stdoutOf(io: Io, format: ExportFormat): Sink {
  if (format === "csv" && !io.isTerminal) return (bytes) => io.outBytes(bytes);
  const decoder = new TextDecoder();
  const shown = format === "csv" ? printableLines : printableJson;
  return (bytes) => io.outBytes(Buffer.from(shown(decoder.decode(bytes, { stream: true }))));
}

/** Returns the number of bytes. */
async function transfer(
  { io, options, client, signal }: Invocation,
  sink: Sink,
  to: string,
): Promise<number> {
  const filters = auditFiltersOf(io, options);
  const api = await client();
  const format = formatOf(options as ExportOptions);
  const query = { ...(await withIds(api, filters)), format };
  using progress = progressTo(io, to);
  let size = 0;
  const { chunks } = await api.download("audit-events.export", { query }, { timeoutMs });
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    await orAborted(sink(chunk), signal);
    size += chunk.length;
    progress.say(`exporting the audit trail, ${formatBytes(size)}`);
  }
  return size;
}

function formatOf({ format, out }: ExportOptions): ExportFormat {
  return format ?? exportFormats.find((known) => out?.endsWith(`.${known}`)) ?? "json";
}

/** The progress line is hidden while the export itself is printed on the terminal. */
function progressTo(io: Io, to: string): Progress {
  const isSeen = to === "stdout" && io.isTerminal;
  return startProgress(isSeen ? { ...io, interactive: false } : io, "exporting the audit trail");
}
