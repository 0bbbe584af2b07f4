import { type ExportFormat, exportFormats } from "../../../domain/audit/audit-events.ts";
import { formatBytes } from "../../../lib/bytes.ts";
import { orAborted } from "../../../lib/time-limit.ts";
import type { Invocation } from "../../command.ts";
import { databaseWorkedOn } from "../../connecting/destination.ts";
import { NewFile } from "../../files/new-file.ts";
import { ownFiles } from "../../files/protected-files.ts";
import { printableChunks } from "../../output/printable-chunks.ts";
import type { Io } from "../../terminal/io.ts";
import { type Progress, startProgress } from "../../terminal/progress.ts";
import { auditFiltersOf, withIds } from "./filters.ts";

/** If the filters match few rows, the server can search for a long time between two chunks. */
const timeoutMs = 600_000;

interface ExportOptions {
  format?: ExportFormat;
  out?: string;
  force?: boolean;
}

/** The file gets its final name only when the export is complete. */
export async function exportAuditEvents(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const { out, force = false } = options as ExportOptions;
  if (out === undefined || out === "-") {
    await transfer(invocation, null);
    return;
  }
  const database = await databaseWorkedOn(io, options);
  using file = new NewFile(out, force, ownFiles(io, database));
  const size = await transfer(invocation, file);
  await file.flush();
  file.finish();
  io.note(`${out}: ${formatBytes(size)}\n`);
}

/** Prints the export, or writes it to the file. Returns the number of bytes. */
async function transfer(
  { io, options, client, signal }: Invocation,
  file: NewFile | null,
): Promise<number> {
  const filters = auditFiltersOf(io, options);
  const api = await client();
  const format = formatOf(options as ExportOptions);
  const query = { ...(await withIds(api, filters)), format };
  using progress = progressOf(io, file === null);
  let size = 0;
  const { chunks } = await api.download("audit-events.export", { query }, { timeoutMs });
  for await (const part of file ? chunks : printableChunks(io, chunks, format !== "csv")) {
    signal.throwIfAborted();
    await orAborted(file ? file.write(part) : io.outBytes(part), signal);
    size += part.length;
    progress.say(`exporting the audit trail, ${formatBytes(size)}`);
  }
  return size;
}

function formatOf({ format, out }: ExportOptions): ExportFormat {
  return format ?? exportFormats.find((known) => out?.endsWith(`.${known}`)) ?? "json";
}

/** The progress line is hidden while the export itself is printed on the terminal. */
function progressOf(io: Io, isPrinted: boolean): Progress {
  const isSeen = isPrinted && io.isTerminal;
  return startProgress(isSeen ? { ...io, interactive: false } : io, "exporting the audit trail");
}
