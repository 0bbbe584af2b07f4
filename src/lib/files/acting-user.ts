// Lets a root process act as another user while it works in that user's folder. With root's rights,
// a link that the user creates could redirect the work to any file on the host.

import { constants } from "node:fs";
import { userInfo } from "node:os";
import { findAccount } from "./accounts.ts";
import { sticky, wayTo } from "./way-to.ts";

export interface Identity {
  uid: number;
  gid: number;
}

interface Acting extends Identity {
  groups: number[];
  /** Root's groups, which `stopActing` restores. */
  before: { gid: number; groups: number[] };
}

let acting: Acting | null = null;
/** The operator's name, which was read before this process became another user. */
let formerName: string | null = null;

/** Becomes this user until `stopActing`. If this fails, throws and changes nothing. */
export function actAs({ uid, gid }: Identity): void {
  if (acting) throw new Error("this process already acts as another user");
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

export function actAsForGood({ uid, gid }: Identity): void {
  formerName = ownName();
  joinGroupsOf(uid, gid);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

export function stopActing(): void {
  if (!acting) return;
  const { before } = acting;
  acting = null;
  becomeRoot(before);
}

/** Returns null if this process acts as the operator. */
export function actingUser(): Identity | null {
  return acting && { uid: acting.uid, gid: acting.gid };
}

/**
 * Returns the operator's user name, or the UID if there is no name. The user that the process acts
 * as does not matter.
 */
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
 * Runs `work` with the operator's rights. All threads get these rights, so no asynchronous work on
 * the other user's files may be running, and `work` must not start any.
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
 * Runs `work` with the operator's rights on a file that the operator named. Keeps the other user's
 * rights if that user could redirect the path.
 */
export function onOperatorsFile<T>(path: string, work: () => T): T {
  if (!acting) return work();
  const { uid, groups } = acting;
  return asOperator(() => isInReach(path, uid, groups)) ? work() : asOperator(work);
}

function isInReach(path: string, uid: number, groups: readonly number[]): boolean {
  return wayTo(path).some(({ stats }) => {
    if (!stats.isDirectory() && !stats.isSymbolicLink()) return false;
    if (stats.uid === uid) return true;
    if (stats.isSymbolicLink() || (stats.mode & sticky) !== 0) return false;
    const isOfGroup = groups.includes(stats.gid) && (stats.mode & constants.S_IWGRP) !== 0;
    return isOfGroup || (stats.mode & constants.S_IWOTH) !== 0;
  });
}

/** Sets the groups of the user's account, or only `gid` if the UID has no account. */
function joinGroupsOf(uid: number, gid: number): void {
  const account = findAccount(uid);
  // Node's types lack this function.
  const { initgroups } = process as { initgroups?: (user: string, extraGroup: number) => void };
  if (account) initgroups?.(account.name, gid);
  else process.setgroups?.([gid]);
}

/** The groups come first because only root can set them. */
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
