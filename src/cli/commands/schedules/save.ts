// `schedules create`, `update` and `edit`. The next due times are shown before anything is saved.

import type { Client } from "../../../client/client.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import type { Invocation } from "../../command.ts";
import { createdBefore } from "../../connecting/request-ids.ts";
import { exit, usageError } from "../../exit.ts";
import { getNamed } from "../../names/resolve.ts";
import { isForPeople } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { editRule } from "../../rules/edit-rule.ts";
import { givenRule, withLines } from "../../rules/rule-file.ts";
import { keptOf, writtenOf } from "../../rules/rule-kind.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";
import { givenBypass, runQuestion } from "../../waiting-flags.ts";
import { dueTimesText, previewOf } from "./due-times.ts";
import { type ScheduleFlags, withFlags } from "./flags.ts";
import {
  bodyOf,
  printSaved,
  printSchedule,
  type SavedSchedule,
  type Schedule,
} from "./saved-schedule.ts";
import { scheduleKind } from "./schedule-kind.ts";

/** Returns 0, or 8 if the schedule needs approval. */
export async function createSchedule(invocation: Invocation): Promise<number> {
  const { io, args, options, signal, client } = invocation;
  const flags: ScheduleFlags = { ...options, ...(args[0] === undefined ? {} : { name: args[0] }) };
  const file = await givenRule(scheduleKind, io, flags.file, signal);
  if (!file) requireFlags(flags);
  const api = await client();
  const earlier = await savedBefore(invocation, api, file?.rule ?? {}, flags);
  if (earlier) {
    const params = { scheduleId: earlier.id };
    return finish(invocation, api, await api.call("schedules.get", { params }));
  }
  const rule = await withFlags(invocation, api, file?.rule ?? {}, flags);
  if (rule.name === undefined) throw usageError("give the name of the schedule.");
  return withLines(flags.file, file, async () => {
    await showAndAsk(invocation, api, rule, "Create");
    const body = bodyOf(rule, givenBypass(options));
    return finish(invocation, api, await api.call("schedules.create", { body }));
  });
}

/** Reads `--set` as the earlier run did, because the service may have changed since then. */
async function savedBefore(
  invocation: Invocation,
  api: Client,
  given: JsonObject,
  flags: ScheduleFlags,
): Promise<SavedSchedule | null> {
  // Standard input can be read only once.
  if (flags.payload === "-") return null;
  return createdBefore(invocation, api, "schedules.create", async ({ target }) => {
    const { payload } = target as JsonObject;
    const rule = await withFlags(invocation, api, given, flags, payload);
    const body = bodyOf(rule, givenBypass(invocation.options));
    return api.call("schedules.create", { body });
  });
}

/** A file replaces the schedule, and flags change only what they name. */
export async function updateSchedule(invocation: Invocation): Promise<number> {
  const { io, args, options, signal, client } = invocation;
  const flags = options as ScheduleFlags;
  const file = await givenRule(scheduleKind, io, flags.file, signal);
  const api = await client();
  const seen = await getNamed(api, "schedules", args[0] ?? "");
  const before = writtenOf(scheduleKind, seen);
  const base = file ? { ...keptOf(scheduleKind, before), ...file.rule } : before;
  const rule = await withFlags(invocation, api, base, flags);
  const version = file?.version ?? seen.version;
  return withLines(flags.file, file, async () => {
    await showAndAsk(invocation, api, rule, "Save");
    const body = { ...bodyOf(rule, givenBypass(options)), version };
    const params = { scheduleId: seen.id };
    return finish(invocation, api, await api.call("schedules.update", { params, body }));
  });
}

export async function editSchedule(invocation: Invocation): Promise<number> {
  const { io, options, client } = invocation;
  const saved = await editRule(invocation, scheduleKind, {
    async replace(api, { id, version }, rule) {
      // Problems with the timing are reported like problems with the whole schedule.
      const runs = await previewOf(api, rule);
      if (isForPeople(options)) io.note(dueTimesText(runs, String(rule.timezone ?? "UTC")));
      const body = { ...bodyOf(rule, {}), version };
      return api.call("schedules.update", { params: { scheduleId: id }, body });
    },
    printUnchanged: (schedule: Schedule) => printSchedule(io, options, schedule),
  });
  return saved ? finish(invocation, await client(), saved) : exit.done;
}

function requireFlags({ cron, every, service, action }: ScheduleFlags): void {
  if (cron === undefined && every === undefined) {
    throw usageError("give --cron or --every, or -f FILE with the whole schedule.");
  }
  if (service === undefined || action === undefined) {
    throw usageError("give --service and --action, or -f FILE, which can also have a rollout.");
  }
}

async function showAndAsk(
  { io, options }: Invocation,
  api: Client,
  rule: JsonObject,
  verb: "Create" | "Save",
): Promise<void> {
  const runs = await previewOf(api, rule);
  if (isForPeople(options)) {
    io.note(`${dueTimesText(runs, String(rule.timezone ?? "UTC"))}\n`);
  }
  const what = `${verb} the schedule ${printableLine(String(rule.name))}`;
  const question = runQuestion(what, givenBypass(options));
  await confirmOrRefuse(io, question, options.yes === true);
}

/** Prints the schedule, and waits for approval if `--wait` is given. */
async function finish(
  { io, options, signal }: Invocation,
  api: Client,
  saved: SavedSchedule,
): Promise<number> {
  const { id: scheduleId, approvalState, approvalId } = saved;
  if (approvalState !== "AWAITING_APPROVAL" || approvalId === null) {
    printSaved(io, options, saved);
    return exit.done;
  }
  const { noteAsked, untilApproved } = await import("../approvals/asked.ts");
  if (!options.wait) {
    printSaved(io, options, saved);
    await noteAsked(api, io, options, approvalId);
    return exit.stillPending;
  }
  const asked = await api.call("approvals.get", { params: { approvalId } });
  const timeout = options.timeout as number | undefined;
  if (!(await untilApproved({ io, api, signal, options }, asked, timeout)))
    return exit.stillPending;
  const approved = await api.call("schedules.get", { params: { scheduleId } });
  printSaved(io, options, { ...approved, warnings: saved.warnings });
  return exit.done;
}
