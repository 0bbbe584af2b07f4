import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { printFactSheet } from "../../output/fact-sheet.ts";
import { printableChunks } from "../../output/printable-chunks.ts";

export async function showMetrics({ io, options, client }: Invocation): Promise<void> {
  const { prometheus, output, columns } = options;
  if (!prometheus) {
    const metrics = await (await client()).call("metrics.get");
    printFactSheet(io, options, metrics, metrics.workspace.id);
    return;
  }
  if (output || columns)
    throw usageError("--prometheus has its own format: leave out -o and --columns.");
  const { chunks } = await (await client()).download("metrics.prometheus");
  for await (const part of printableChunks(io, chunks, false)) await io.outBytes(part);
}
