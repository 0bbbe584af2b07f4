// When a schedule is due, as the server computes it.

import type { Body, Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import { printableLine } from "../../output/printable.ts";
import { aligned } from "../../output/text-width.ts";

export type DueTime = Reply<"schedules.preview">["runs"][number];

const fields = ["cron", "everySeconds", "timezone", "until"] as const;

/** Returns the next due times of a schedule, which need not be saved. */
export async function previewOf(api: Client, rule: JsonObject, count?: number): Promise<DueTime[]> {
  const timing = fields.flatMap((field) => (rule[field] == null ? [] : [[field, rule[field]]]));
  const body = { ...Object.fromEntries(timing), ...(count === undefined ? {} : { count }) };
  const { runs } = await api.call("schedules.preview", {
    body: body as Body<"schedules.preview">,
  });
  return runs;
}

export function dueTimesText(runs: readonly DueTime[], timezone: string): string {
  if (runs.length === 0) return "\nIt is never due.\n";
  const isUtc = timezone === "UTC";
  const lines = runs.map(({ at, localTime, offset, note }): [string, string] => {
    const local = `  ${localTime.replace("T", " ")}`;
    const more = note === null ? "" : printableLine(note);
    return isUtc ? [local, more] : [`${local} ${offset}`, `${at}  ${more}`];
  });
  const zones = isUtc ? "UTC" : `${printableLine(timezone)}, and UTC`;
  const text = aligned(lines).map((line) => line.trimEnd());
  return `\nnext runs (${zones})\n${text.join("\n")}\n`;
}
