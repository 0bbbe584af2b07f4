// Pauses and resumes schedules by name, or all together with `--all`.

import { nouns } from "../../../api/contract/nouns.ts";
import type { Reply } from "../../../api/index.ts";
import type { CommandFunction, Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { act } from "../../nouns/acts.ts";
import { isForPeople, printOne, type View } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { relativeTime } from "../../output/relative-time.ts";
import { givenBypass } from "../../waiting-flags.ts";
import { printSchedule } from "./saved-schedule.ts";

type Pause = Reply<"schedules.pause-state">;

const view: View<Pause> = {
  columns: [
    { name: "all schedules", value: ({ paused }) => (paused ? "paused" : "not paused") },
    { name: "since", value: ({ since }) => since, kind: "time" },
    { name: "by", value: ({ by }) => by },
    { name: "reason", value: ({ reason }) => reason },
  ],
  nameOf: ({ paused }) => (paused ? "paused" : "not paused"),
};

const print = async () => printSchedule;

export const pauseSchedules: CommandFunction = async (invocation) => {
  const { reason } = invocation.options as { reason?: string };
  if (!isForAll(invocation)) {
    if (reason !== undefined) throw usageError("--reason is only for --all.");
    return act(nouns.schedules, "pause", print)(invocation);
  }
  const body = reason === undefined ? {} : { reason };
  printPause(invocation, await (await invocation.client()).call("schedules.pause-all", { body }));
};

export const resumeSchedules: CommandFunction = async (invocation) => {
  const bypass = givenBypass(invocation.options);
  if (!isForAll(invocation)) return act(nouns.schedules, "resume", print, bypass)(invocation);
  if ("breakGlass" in bypass)
    throw usageError("--break-glass: name the schedules instead of --all.");
  printPause(invocation, await (await invocation.client()).call("schedules.resume-all", {}));
};

function isForAll({ args, options }: Invocation): boolean {
  if (options.all && args.length > 0) throw usageError("name schedules or give --all, not both.");
  if (!options.all && args.length === 0)
    throw usageError("name at least one schedule, or give --all.");
  return options.all === true;
}

function printPause({ io, options }: Invocation, state: Pause): void {
  printOne(io, options, state, view);
}

/** Lists schedules, and says below the table if all are paused. */
export async function listWithPause(listed: CommandFunction, invocation: Invocation) {
  await listed(invocation);
  const { io, options } = invocation;
  if (!isForPeople(options)) return;
  const api = await invocation.client();
  const { paused, since, by, reason } = await api.call("schedules.pause-state", {});
  if (!paused) return;
  const when = since === null ? "" : `${relativeTime(since, io.now())}, `;
  const why = reason === null ? "" : `: ${printableLine(reason)}`;
  io.note(`\nAll schedules are paused (${when}by ${printableLine(by ?? "somebody")})${why}\n`);
}
