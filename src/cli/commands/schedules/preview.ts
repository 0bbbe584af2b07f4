import type { Client } from "../../../client/client.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { getNamed } from "../../names/resolve.ts";
import { printWhole } from "../../output/listing.ts";
import type { ListView } from "../../output/output.ts";
import { givenRule, withLines } from "../../rules/rule-file.ts";
import { writtenOf } from "../../rules/rule-kind.ts";
import { type DueTime, previewOf } from "./due-times.ts";
import { type TimingFlags, withTiming } from "./flags.ts";
import { scheduleKind } from "./schedule-kind.ts";

const view: ListView<DueTime> = {
  columns: [
    { name: "local time", value: ({ localTime }) => localTime.replace("T", " "), kind: "key" },
    { name: "offset", value: ({ offset }) => offset },
    { name: "utc", value: ({ at }) => at, kind: "key" },
    { name: "in", value: ({ at }) => at, kind: "time" },
    { name: "note", value: ({ note }) => note },
  ],
  nameOf: ({ at }) => at,
  whenEmpty: "It is never due.",
};

/**
 * Previews the timing of a schedule, of a file, or of flags alone. Flags override the other two.
 */
export async function previewSchedule(invocation: Invocation): Promise<void> {
  const { io, args, options, signal, client } = invocation;
  const flags = options as unknown as TimingFlags & { file?: string; count: number };
  const { file: path, count } = flags;
  if (args[0] !== undefined && path !== undefined) {
    throw usageError("give the name of a schedule or -f FILE, not both.");
  }
  const file = await givenRule(scheduleKind, io, path, signal);
  const isTimed = flags.cron !== undefined || flags.every !== undefined;
  if (!file && args[0] === undefined && !isTimed) {
    throw usageError("give --cron, --every, -f FILE, or the name of a schedule.");
  }
  const api = await client();
  const base = file?.rule ?? (await storedRule(api, args[0]));
  const rule = withTiming(base, flags);
  const preview = () => previewOf(api, rule, count);
  printWhole(invocation, await withLines(path, file, preview), view);
}

async function storedRule(api: Client, name: string | undefined): Promise<JsonObject> {
  if (name === undefined) return {};
  return writtenOf(scheduleKind, await getNamed(api, "schedules", name));
}
