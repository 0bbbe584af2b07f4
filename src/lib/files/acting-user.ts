// Root at work in a folder of another user does it as that user: with root's rights, a link that the user
// puts in the place of a file would turn the work on any file of the host. The kernel then refuses what the
// user could not have done alone. Files that the operator names elsewhere are opened with root's own rights.

import { userInfo } from "node:os";
import { findAccount } from "./accounts.ts";
import { wayTo } from "./way-to.ts";

export interface Identity {
  uid: number;
  gid: number;
}

interface Acting extends Identity {
  groups: number[];
  /** Root's. */
  before: { gid: number; groups: number[] };
}

let acting: Acting | null = null;
/** Who the operator is, read before this process became another user. */
let formerName: string | null = null;

const writableByGroup = 0o020;
const writableByAll = 0o002;
const sticky = 0o1000;

/** Becomes this user until `stopActing`. Throws when the system does not allow it, and then nothing changed. */
export function actAs({ uid, gid }: Identity): void {
  if (acting) throw new Error("this process acts as another user already");
  const before = { gid: process.getegid?.() ?? 0, groups: process.getgroups?.() ?? [] };
  formerName = ownName();
  try {
    joinGroupsOf(uid, gid);
    acting = { uid, gid, before, groups: process.getgroups?.() ?? [gid] };
    resume(acting);
  } catch (error) {
    acting = null;
    becomeRoot(before);
    throw error;
  }
}

/** The same for good, for a process that runs long: nothing leads back. */
export function actAsForGood({ uid, gid }: Identity): void {
  formerName = ownName();
  joinGroupsOf(uid, gid);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

/** Root again. To be called once nothing is left to do in the other user's folder. */
export function stopActing(): void {
  if (!acting) return;
  const { before } = acting;
  acting = null;
  becomeRoot(before);
}

/** The user as whom this process acts; null when it is none but the operator. */
export function actingUser(): Identity | null {
  return acting && { uid: acting.uid, gid: acting.gid };
}

/** The operator's name in this system, or number where it knows none, whoever the process acts as. */
export function operatorName(): string {
  return formerName ?? ownName();
}

function ownName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

/**
 * Does what must be done with the operator's own rights. The whole process has them meanwhile, each of its threads:
 * when it is called, no asynchronous work on files of the other user may be under way, and `work` starts none
 * there.
 */
export function asOperator<T>(work: () => T): T {
  if (!acting) return work();
  const current = acting;
  becomeRoot(current.before);
  try {
    return work();
  } finally {
    resume(current);
  }
}

/**
 * The same for work on a file that the operator has named, unless the other user could turn the path
 * elsewhere: then it is worked on with that user's rights.
 */
export function onOperatorsFile<T>(path: string, work: () => T): T {
  if (!acting) return work();
  const { uid, groups } = acting;
  return asOperator(() => isInReach(path, uid, groups)) ? work() : asOperator(work);
}

/** Whether this user can change a folder or a link on the way to the path. */
function isInReach(path: string, uid: number, groups: readonly number[]): boolean {
  return wayTo(path).some(({ stats }) => {
    if (!stats.isDirectory() && !stats.isSymbolicLink()) return false;
    if (stats.uid === uid) return true;
    if (stats.isSymbolicLink() || (stats.mode & sticky) !== 0) return false;
    const isOfGroup = groups.includes(stats.gid) && (stats.mode & writableByGroup) !== 0;
    return isOfGroup || (stats.mode & writableByAll) !== 0;
  });
}

/** The groups of the user, or of a number without an account this one alone. */
function joinGroupsOf(uid: number, gid: number): void {
  const account = findAccount(uid);
  // Missing from Node's types.
  const { initgroups } = process as { initgroups?: (user: string, extraGroup: number) => void };
  if (account) initgroups?.(account.name, gid);
  else process.setgroups?.([gid]);
}

/** Groups first: only root may choose them. */
function resume({ uid, gid, groups }: Acting): void {
  process.setgroups?.(groups);
  process.setegid?.(gid);
  process.seteuid?.(uid);
}

function becomeRoot({ gid, groups }: Acting["before"]): void {
  process.seteuid?.(0);
  process.setegid?.(gid);
  process.setgroups?.(groups);
}
