// `platform agent check`: checks the agent's file once, without changing or consuming anything.

import type { CheckRow } from "../../../agent/sidecar/index.ts";
import { counted } from "../../../lib/counted.ts";
import type { Invocation } from "../../command.ts";
import { exit } from "../../exit.ts";
import { printWhole } from "../../output/listing.ts";
import { isForPeople, type ListView } from "../../output/output.ts";
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
  const file = await readAgentFile(io, config);
  const { runChecks } = await import("../../../agent/sidecar/index.ts");
  const progress = startProgress(io, "checking");
  const report = (done: number, all: number) => progress.say(`checking: ${done} of ${all}`);
  const rows = await runChecks(file, signal, report).finally(progress[Symbol.dispose]);
  printWhole({ io, options }, rows, view);
  if (isForPeople(options)) io.note(`\n${verdict(rows)}\n`);
  return rows.some(({ state }) => state === "FAILURE") ? exit.failed : exit.done;
}

/** Repeats the problems in full, because the table may cut them off. */
function verdict(rows: CheckRow[]): string {
  const linesOf = (state: CheckRow["state"]) =>
    rows.filter((row) => row.state === state).map((row) => `  ${view.nameOf(row)}: ${row.result}`);
  const failures = linesOf("FAILURE");
  const warnings = linesOf("WARNING");
  const lines: string[] = [];
  if (failures.length > 0) lines.push(`${failures.length} of ${rows.length} failed:`, ...failures);
  if (warnings.length > 0) lines.push(`${counted(warnings.length, "warning")}:`, ...warnings);
  return lines.map(printableLine).join("\n") || "No problems found.";
}
