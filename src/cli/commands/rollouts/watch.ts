// Follows a rollout until it ends or pauses. A restart of the server does not end the wait.

import { leftOutText } from "../../../api/contract/cells.ts";
import { nouns } from "../../../api/contract/nouns.ts";
import type { Client } from "../../../client/client.ts";
import { hasEnded } from "../../../domain/rollouts/rollouts.ts";
import { counted } from "../../../lib/counted.ts";
import { pauseOrAborted } from "../../../lib/time-limit.ts";
import type { Invocation } from "../../command.ts";
import { outlastOutages } from "../../connecting/outages.ts";
import { type CliError, exit } from "../../exit.ts";
import { getNamed, resolve } from "../../names/resolve.ts";
import { isForPeople } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { Interrupted } from "../../terminal/interrupted.ts";
import type { Io } from "../../terminal/io.ts";
import { leftRunning } from "../../terminal/left-running.ts";
import { type NoteOptions, noteFacts, noteLast, noteLine } from "../../terminal/notes.ts";
import { startProgress } from "../../terminal/progress.ts";
import { lookMs, silenceOf } from "../commands/wait-for-command.ts";
import { printRollout, type RolloutDetail, toContinue } from "./show.ts";

/** The pauses between polls grow: they begin short, to notice the end of a short rollout soon. */
const pauseMs = { first: 100, longest: 1000 };
const mostFailures = 200;

export async function watchRollout(invocation: Invocation): Promise<number> {
  const { args, client } = invocation;
  const api = await client();
  const rolloutId = await resolve(api, nouns.rollouts, args[0] ?? "");
  return followRollout(invocation, api, rolloutId);
}

/**
 * Prints a rollout that was just created, and how to follow it. With `--wait`, follows it instead.
 * Returns 8 if it needs approval or was not approved.
 */
export async function followCreated(
  invocation: Invocation,
  api: Client,
  rollout: RolloutDetail,
): Promise<number> {
  const { io, options } = invocation;
  const { id, name, action, state, stateReason, approvalId } = rollout;
  const asked = state === "AWAITING_APPROVAL" ? approvalId : null;
  if (options.wait) {
    if (asked !== null) {
      const { noteWaiting } = await import("../approvals/asked.ts");
      noteWaiting(io, options, { id: asked, title: name ?? action });
    }
    return followRollout(invocation, api, id);
  }
  printRollout(io, options, rollout);
  // A repeated call can return a rollout that was not approved since.
  if (stateReason === "NOT_APPROVED") return noteEnd(invocation, rollout);
  if (asked === null) {
    if (isForPeople(options)) io.note(`\nTo follow it: platformctl rollouts watch ${id}\n`);
    return exit.done;
  }
  const { noteAsked } = await import("../approvals/asked.ts");
  await noteAsked(api, io, options, asked);
  return exit.stillPending;
}

/**
 * Returns 0 for success, 7 if a service failed or the rollout did not succeed, or 8 if the rollout
 * paused, was not approved, or has not ended within `--timeout`.
 */
async function followRollout(
  invocation: Invocation,
  api: Client,
  rolloutId: string,
): Promise<number> {
  const { io, options, signal } = invocation;
  const deadline = performance.now() + (options.timeout as number) * 1000;
  const params = { rolloutId };
  const progress = startProgress(io, "rollout");
  const read = outlastOutages({ io, api, signal, options, deadline, progress });
  const failures = failureNotes(invocation, api, rolloutId);
  let looked = { at: Number.NEGATIVE_INFINITY, hold: null as string | null };
  try {
    for (let pause = pauseMs.first; ; pause = Math.min(2 * pause, pauseMs.longest)) {
      const rollout = await read(() => api.call("rollouts.get", { params }));
      if (io.interactive && performance.now() - looked.at >= lookMs) {
        looked = { at: performance.now(), hold: await holdOf(api, rollout, io.now()) };
      }
      progress.say([lineOf(rollout), looked.hold ?? ""].filter(Boolean).join("; "));
      if (rollout.targets.FAILED > failures.noted && !failures.isCut) await read(failures.note);
      if (isOver(rollout) || rollout.state === "PAUSED" || performance.now() >= deadline) {
        progress[Symbol.dispose]();
        printRollout(io, options, rollout);
        return noteEnd(invocation, rollout);
      }
      await pauseOrAborted(Math.min(pause, deadline - performance.now()), signal);
    }
  } catch (error) {
    if (error instanceof Interrupted) throw goesOn(rolloutId);
    throw error;
  } finally {
    progress[Symbol.dispose]();
  }
}

/** Whether the rollout has ended, and its last command as well. */
export function isOver({ state, targets }: Pick<RolloutDetail, "state" | "targets">): boolean {
  return hasEnded(state) && targets.RUNNING + targets.CHECKING === 0;
}

/**
 * Returns what the rollout waits for if the agent of its first running service is silent;
 * otherwise, null. The text is only a hint, so errors are ignored. `now` is in Unix milliseconds.
 */
export async function holdOf(
  api: Client,
  { id, targets }: Pick<RolloutDetail, "id" | "targets">,
  now: number,
): Promise<string | null> {
  if (targets.RUNNING === 0) return null;
  try {
    const query = { state: "RUNNING", pageSize: 1 } as const;
    const { data } = await api.page("rollouts.targets", { params: { rolloutId: id }, query });
    const commandId = data[0]?.commandId;
    if (!commandId) return null;
    const command = await getNamed(api, "commands", commandId);
    const silence = await silenceOf(api, command, now);
    const { serviceCode, status } = command;
    const what =
      status === "PENDING" ? `${serviceCode} not fetched yet` : `waiting for ${serviceCode}`;
    return silence && `${what}: ${silence}`;
  } catch {
    return null;
  }
}

export function lineOf(rollout: RolloutDetail): string {
  const { state, stateReason, wave, waveCount, total, targets, leftOut } = rollout;
  if (state === "AWAITING_APPROVAL") return `${state}: ${rollout.approvalId}`;
  const { SUCCEEDED, FAILED, NOT_RUN } = targets;
  const parts = [
    stateReason === "WAVE_ENDED"
      ? `${wave - 1} of ${waveCount} waves done`
      : `wave ${wave} of ${waveCount}`,
    `${SUCCEEDED} of ${total + (leftOut?.total ?? 0)} succeeded`,
    FAILED > 0 ? `${FAILED} failed` : "",
    NOT_RUN > 0 ? `${NOT_RUN} not run` : "",
    targets.RUNNING > 0 ? `${targets.RUNNING} running` : "",
    targets.CHECKING > 0 ? `${targets.CHECKING} not healthy yet` : "",
    leftOutText(leftOut),
  ];
  return `${state}: ${parts.filter(Boolean).join(", ")}`;
}

/** Notes each failed service once, as it fails, up to `mostFailures`. */
export function failureNotes(
  { io, options }: Pick<Invocation, "io" | "options">,
  api: Pick<Client, "page">,
  rolloutId: string,
) {
  const seen = new Set<number>();
  const notes = {
    get noted() {
      return seen.size;
    },
    /** Whether there are more failures than are noted. */
    isCut: false,
    note: async () => {
      const { data, pagination } = await api.page("rollouts.targets", {
        params: { rolloutId },
        query: { state: "FAILED", pageSize: mostFailures },
      });
      for (const { position, serviceCode, errorCode, errorMessage } of data) {
        if (seen.has(position) || seen.size === mostFailures) continue;
        seen.add(position);
        const why = [errorCode, errorMessage].filter(Boolean).join(": ");
        const failed = { service: serviceCode, code: errorCode, message: errorMessage };
        noteFacts(io, options, `failed: ${serviceCode}: ${printableLine(why)}`, { failed });
      }
      if (pagination.total <= seen.size) return;
      notes.isCut = true;
      const list = `platformctl rollouts targets ${rolloutId} --state FAILED`;
      const text = `Only ${mostFailures} failures are printed here. To list all: ${list}`;
      noteLine(io, options, "MORE_FAILURES", text);
    },
  };
  return notes;
}

/** Says what can be done now, and returns the exit status. */
export function noteEnd(
  { io, options }: { io: Io; options: NoteOptions },
  rollout: RolloutDetail,
): number {
  const { id, state, stateReason, targets, approvalId } = rollout;
  if (state === "PAUSED") {
    noteLast(io, options, "ROLLOUT_PAUSED", toContinue(rollout));
    return exit.stillPending;
  }
  if (!hasEnded(state)) {
    const text = `Still ${state}. To continue waiting: platformctl rollouts watch ${id}`;
    noteLast(io, options, "WAIT_TIMED_OUT", text);
    return exit.stillPending;
  }
  if (stateReason === "NOT_APPROVED") {
    const text = `It was not approved. To see why: platformctl approvals get ${approvalId}`;
    noteLast(io, options, "NOT_APPROVED", text);
    return exit.stillPending;
  }
  const retry = `platformctl rollouts retry ${id}`;
  const notRun = `was not run on ${counted(targets.NOT_RUN, "service")}`;
  if (targets.FAILED > 0) {
    const rest = targets.NOT_RUN > 0 ? ` (it ${notRun}; --rest includes them)` : "";
    const text = `To run the action again on the services that failed: ${retry}${rest}`;
    noteLast(io, options, "ROLLOUT_HAS_FAILURES", text);
  } else if (targets.NOT_RUN > 0) {
    const tooMany =
      stateReason === "TOO_MANY_NOT_RUN" ? ", which is more than the rollout tolerates" : "";
    const text = `The action ${notRun}${tooMany}. To run it there: ${retry} --rest`;
    noteLast(io, options, "ROLLOUT_NOT_RUN", text);
  } else if (isForPeople(options)) {
    io.note(`\nTo see what each service returned: platformctl rollouts results ${id}\n`);
  }
  return state === "SUCCEEDED" && targets.FAILED === 0 ? exit.done : exit.partlyFailed;
}

export function goesOn(rolloutId: string): CliError {
  const next = {
    "follow it": `rollouts watch ${rolloutId}`,
    "end it": `rollouts cancel ${rolloutId}`,
  };
  return leftRunning("stop the rollout", next, { rolloutId });
}
