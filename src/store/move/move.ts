// Moves all data from one database to an empty one. (docs/decisions/0024-moving-a-database.md)

import { rmSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { AppError } from "../../domain/errors.ts";
import {
  describeMark,
  type MovedTo,
  MoveRefused,
  type MoveReport,
  type OnMoveProgress,
} from "../../domain/storage/moves.ts";
import type { Place } from "../../domain/storage/place.ts";
import type { FillRandom } from "../../lib/random.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { createIdFactory } from "../../lib/ulid.ts";
import { headCopyFileOf } from "../audit/head-copy.ts";
import { loadKey } from "../files/key-files.ts";
import { findMark } from "./mark.ts";
import { findMoveInto, openSource, openTarget } from "./places.ts";
import { CommitUnknown, type MovedKeys, type MoveSource, type MoveTarget } from "./sides.ts";
import { appendMoved, checkSource, verifyTarget } from "./trail.ts";
import { transfer } from "./transfer.ts";

export interface MoveRequest {
  from: Place;
  to: Place;
  /** Null if there is no such file to copy. */
  sessionKeyFile: string | null;
  /** Recorded as the actor. */
  osUser: string;
  now: () => number;
  fillRandom: FillRandom;
  /** Whether to move an audit trail that does not verify. */
  unverified: boolean;
  /** Can stop the move until the target is about to be committed. */
  signal: AbortSignal;
  onProgress: OnMoveProgress;
}

const never = new AbortController().signal;

/**
 * How many times, and how often, to ask the target whether it has the data if the outcome of a
 * commit is unknown.
 */
const lookAttempts = 30;
const lookEveryMs = 1000;

/**
 * Throws MoveRefused, AppError UNAVAILABLE, or the signal's reason. The target is then as before,
 * and the source is not marked, unless the message says that the outcome is unknown.
 */
export async function moveDatabase(request: MoveRequest): Promise<MoveReport> {
  // Nothing stops a move after its source is marked.
  const interruption = new AbortController();
  const { signal: given } = request;
  const interrupt = () => interruption.abort(given.reason);
  const settle = () => given.removeEventListener("abort", interrupt);
  given.addEventListener("abort", interrupt);
  if (given.aborted) interrupt();
  const { signal } = interruption;
  try {
    return await moveUntilSettled({ ...request, signal }, settle);
  } catch (error) {
    // An error that the interruption caused is of no interest.
    signal.throwIfAborted();
    if (error instanceof MoveRefused || error instanceof AppError) throw error;
    const message = `The move failed, and nothing was changed: ${(error as Error).message}`;
    throw new AppError("UNAVAILABLE", message, { cause: error });
  } finally {
    settle();
  }
}

async function moveUntilSettled(request: MoveRequest, settle: () => void): Promise<MoveReport> {
  const source = await openSource(request.from, request.signal);
  try {
    return (await finishEarlier(request, source)) ?? (await moveFrom(source, request, settle));
  } finally {
    await source.close();
  }
}

/**
 * Returns the report of a move that was interrupted after its target was committed. Removes the
 * mark of a move that has not reached its target. Throws MoveRefused if the source was moved, or if
 * the target cannot be asked.
 */
async function finishEarlier(
  { to, signal }: MoveRequest,
  source: MoveSource,
): Promise<MoveReport | null> {
  const mark = await findMark(source.read);
  if (mark === null) return null;
  const found = mark.done ? null : await findUnlessUnknown(source.name, mark, to, signal);
  if (found?.moveId === mark.id) {
    await source.mark({ ...mark, done: true });
    return found;
  }
  if (mark.done || mark.to !== to.name) {
    const { found: why, advice } = describeMark(source.name, mark);
    throw new MoveRefused("DATABASE_MOVED", `Cannot move ${source.name}: ${why}. ${advice}.`);
  }
  await source.mark(null);
  return null;
}

/** Throws MoveRefused if the target cannot be asked. */
async function findUnlessUnknown(source: string, mark: MovedTo, to: Place, signal: AbortSignal) {
  try {
    return await findMoveInto(to, signal);
  } catch (error) {
    throw unknownOutcome(source, mark, error);
  }
}

async function moveFrom(
  source: MoveSource,
  request: MoveRequest,
  settle: () => void,
): Promise<MoveReport> {
  const { to, signal, now, fillRandom } = request;
  const keys = keysOf(request);
  await checkSource(source, keys, request);
  signal.throwIfAborted();
  const target = await openTarget(to, keys, { now: now(), fillRandom, signal });
  try {
    const { tables, replacedTexts } = await transfer(source, target, request);
    const trail = await verifyTarget(target, keys, request);
    const counts = tables.map(({ table, rows }) => [table, rows] as const);
    const facts = {
      moveId: createIdFactory(now, fillRandom)("mov"),
      from: source.name,
      to: target.name,
      rows: counts.reduce((sum, [, rows]) => sum + rows, 0),
      tables: Object.fromEntries(counts),
      replacedTexts,
      auditVerified: trail.checked,
      auditProblem: trail.problem,
    };
    const auditHead = await appendMoved(source, target, keys, facts, request);
    signal.throwIfAborted();
    settle();
    const report = { ...facts, auditHead };
    await commit(source, target, report, request);
    return report;
  } finally {
    await target.close();
  }
}

function keysOf({ from, sessionKeyFile }: MoveRequest): MovedKeys {
  const session = sessionKeyFile === null ? null : loadKey(sessionKeyFile);
  return { audit: loadKey(from.auditKeyFile), session };
}

/**
 * The source is marked first, so that both databases can never be served at the same time. A mark
 * that is not `done` shows that the process may have crashed in between.
 */
async function commit(
  source: MoveSource,
  target: MoveTarget,
  { moveId: id }: MoveReport,
  { to, now }: MoveRequest,
): Promise<void> {
  const mark: MovedTo = { id, to: target.name, at: now(), done: false };
  if (to.kind === "postgresql") removeHeadCopy(headCopyFileOf(to));
  try {
    await source.mark(mark);
  } catch (error) {
    throw perhapsMarked(source.name, mark, error);
  }
  try {
    await target.commit();
  } catch (error) {
    await findOut(source, mark, to, error);
  }
  // The data is in the target. If this fails, running the same move again completes the mark.
  await source.mark({ ...mark, done: true }).catch(() => undefined);
}

/** The copy belongs to an earlier database of this name, whose rows the new trail does not have. */
function removeHeadCopy(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // This user cannot access the folder, so the copy stays, as do the copies on other hosts.
  }
}

/** Returns if the target was committed after all. Otherwise, removes the mark and throws. */
async function findOut(
  source: MoveSource,
  mark: MovedTo,
  to: Place,
  error: unknown,
): Promise<void> {
  if (error instanceof CommitUnknown && (await hasMove(source.name, mark, to))) return;
  try {
    await source.mark(null);
  } catch (cause) {
    throw perhapsMarked(source.name, mark, cause);
  }
  throw error;
}

/** Throws MoveRefused if the target cannot be asked. */
async function hasMove(source: string, mark: MovedTo, to: Place): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await findUnlessUnknown(source, mark, to, never))?.moveId === mark.id;
    } catch (error) {
      if (attempt === lookAttempts) throw error;
    }
    await pause(lookEveryMs);
  }
}

function unknownOutcome(source: string, { to }: MovedTo, cause: unknown): MoveRefused {
  const message =
    `The last step failed, so it is not known whether ${to} has the data. ` +
    `Until this is known, no server opens ${source}. Run the same command again to find out. ` +
    `Looking for the data failed: ${(cause as Error).message}`;
  return new MoveRefused("OUTCOME_UNKNOWN", message, cause);
}

function perhapsMarked(source: string, { to }: MovedTo, cause: unknown): MoveRefused {
  const message =
    `The move failed, and ${to} is unchanged, but servers may be unable to open ${source}. Run the same ` +
    `command again, or use ${source} as it is: platform db reactivate --db ${shellWord(source)}. ` +
    `The error: ${(cause as Error).message}`;
  return new MoveRefused("OUTCOME_UNKNOWN", message, cause);
}
