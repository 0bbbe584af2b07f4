// `schedules run`, which can wait until the run has ended.

import type { Client } from "../../../client/client.ts";
import type { RunState } from "../../../domain/schedules/schedules.ts";
import { formatDuration } from "../../../lib/duration.ts";
import { pauseOrAborted } from "../../../lib/time-limit.ts";
import type { Invocation } from "../../command.ts";
import { outlastOutages } from "../../connecting/outages.ts";
import { CliError, exit } from "../../exit.ts";
import { getNamed } from "../../names/resolve.ts";
import { allPages, type PageQuery } from "../../output/listing.ts";
import { isForPeople, printOne } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { Interrupted } from "../../terminal/interrupted.ts";
import { leftRunning } from "../../terminal/left-running.ts";
import { noteLast } from "../../terminal/notes.ts";
import { startProgress } from "../../terminal/progress.ts";
import { confirmOrRefuse } from "../../terminal/prompts.ts";
import { givenBypass, runQuestion } from "../../waiting-flags.ts";
import { type Run, runView } from "./runs.ts";
import type { Schedule } from "./saved-schedule.ts";

/** The pauses between polls grow: they begin short, to notice the end of a short run soon. */
const pauseMs = { first: 100, longest: 500 };
const openStates: RunState[] = ["WAITING", "STARTING", "RUNNING"];

/**
 * Returns 0, 1 if the run has failed or was skipped, or 8 if it needs approval or has not ended by
 * `--timeout`.
 */
export async function runSchedule(invocation: Invocation): Promise<number> {
  const { io, args, options, client } = invocation;
  const api = await client();
  const schedule = await getNamed(api, "schedules", args[0] ?? "");
  const what = `Run ${printableLine(schedule.name)} now`;
  const question = runQuestion(what, givenBypass(options));
  await confirmOrRefuse(io, question, options.yes === true);
  const params = { scheduleId: schedule.id };
  const started = await api.call("schedules.run", { params, body: givenBypass(options) });
  const run = options.wait ? await awaitRun(invocation, api, schedule, started) : started;
  printOne(io, options, run, runView);
  if (run.endedAt === null) noteFollowing(invocation, schedule, run);
  return statusOf(run, options.wait === true);
}

function statusOf({ state, errorCode }: Run, isAwaited: boolean): number {
  if (errorCode === "APPROVAL_REQUIRED") return exit.stillPending;
  if (state === "FAILED" || state === "SKIPPED") return exit.failed;
  return state === "SUCCEEDED" || !isAwaited ? exit.done : exit.stillPending;
}

function noteFollowing({ io, options }: Invocation, { id }: Schedule, run: Run): void {
  const { state, commandId, rolloutId } = run;
  const how =
    commandId === null
      ? rolloutId === null
        ? `schedules runs ${id}`
        : `rollouts watch ${rolloutId}`
      : `commands wait ${commandId}`;
  const follow = `To follow it: platformctl ${how}`;
  if (options.wait) {
    const passed = formatDuration(options.timeout as number);
    noteLast(io, options, "WAIT_TIMED_OUT", `Still ${state} after ${passed}. ${follow}`);
  } else if (isForPeople(options)) io.note(`\n${follow}\n`);
}

function deleted({ commandId, rolloutId }: Run): CliError {
  const details = { commandId, rolloutId };
  return new CliError(exit.notFound, "the run was deleted.", { code: "NOT_FOUND", details });
}

async function awaitRun(
  { io, options, signal }: Invocation,
  api: Client,
  { id: scheduleId, name }: Schedule,
  started: Run,
): Promise<Run> {
  const deadline = performance.now() + (options.timeout as number) * 1000;
  using progress = startProgress(io, "waiting");
  const read = outlastOutages({ io, api, signal, options, deadline, progress });
  const findAmong = async (state?: RunState[]) => {
    const fetch = (page: PageQuery) =>
      api.page("schedules.runs", { params: { scheduleId }, query: { ...page, state } });
    for await (const runs of allPages(fetch, ({ dueAt }) => dueAt)) {
      const found = runs.find(({ dueAt }) => dueAt === started.dueAt);
      if (found) return found;
    }
    return null;
  };
  // In the list of all runs, many later ones can come before a run that has ended.
  const find = async () => (await findAmong(openStates)) ?? (await findAmong());
  let run = started;
  try {
    for (let pause = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.longest)) {
      progress.say(`${run.state}: ${printableLine(name)}`);
      const leftMs = deadline - performance.now();
      if (run.endedAt !== null || leftMs <= 0) return run;
      await pauseOrAborted(Math.min(pause, leftMs), signal);
      const found = await read(find);
      if (!found) throw deleted(run);
      run = found;
    }
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const next = { "see it": `schedules runs ${scheduleId}` };
    throw leftRunning("stop the run", next, { scheduleId });
  }
}
