// `platform agent check`: everything in the agent's file, looked at once; nothing is changed or used up.

import type { CheckRow } from "../../../agent/sidecar/index.ts";
import type { Invocation } from "../../command.ts";
import { exit } from "../../exit.ts";
import { isForPeople, type ListView, type OutputOptions, printList } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { startProgress } from "../../terminal/progress.ts";
import { readAgentFile } from "./agent-file.ts";

const view: ListView<CheckRow> = {
  columns: [
    { name: "state", value: (row) => row.state, kind: "state" },
    { name: "service", value: (row) => row.service, kind: "key" },
    { name: "what", value: (row) => row.what, kind: "key" },
    { name: "result", value: (row) => row.result },
    { name: "took", value: (row) => `${row.tookMs} ms` },
  ],
  nameOf: (row) => [row.service ?? "agent", row.what].join(": "),
  whenEmpty: "There is nothing to check.",
};

export async function checkAgent({ io, options, signal }: Invocation): Promise<number> {
  const { config } = options as { config: string };
  const progress = startProgress(io, "checking");
  const rows = await (async () => {
    const file = await readAgentFile(config);
    const { runChecks } = await import("../../../agent/sidecar/index.ts");
    return runChecks(file, signal, (done, all) => progress.say(`checking: ${done} of ${all}`));
  })().finally(() => progress.stop());
  const pagination = { page: 1, pageSize: rows.length, total: rows.length };
  printList(io, options as OutputOptions, rows, view, { pagination, filters: {} });
  if (isForPeople(options as OutputOptions)) io.note(`\n${verdict(rows)}\n`);
  return rows.some(({ state }) => state === "FAILURE") ? exit.failed : exit.done;
}

/** What is not well is told whole: the table may have no room for it. */
function verdict(rows: CheckRow[]): string {
  const unwell = rows.filter(({ state }) => state !== "OK");
  if (unwell.length === 0) return "All is well.";
  const failed = unwell.filter(({ state }) => state === "FAILURE").length;
  const told = unwell.map((row) => `  ${view.nameOf(row)}: ${row.result}`);
  return [`${failed} of ${rows.length} failed:`, ...told].map(printableLine).join("\n");
}
