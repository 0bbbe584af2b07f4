// The effects of changes on the caches and the waiting calls of a process. A use case names what it
// changes. After the commit, the effects take place in this process and, on PostgreSQL, in all
// others.
// (docs/decisions/0005-state-in-memory.md)

import type { Tx } from "../../store/database.ts";
import type { Core } from "../context.ts";
import { agentKey, approvalKey, commandKey, outputKey } from "./doorbell.ts";
import { wakeConcerned } from "./wake-concerned.ts";

const effects = {
  /** The agent has a new command to run or to stop. */
  work(core: Core, agentId: string) {
    core.polls.idle.invalidate(agentId);
    core.doorbell.ring(agentKey(agentId));
  },
  /** The agent was changed, so its calls may now be refused, or accepted again. */
  agent(core: Core, agentId: string) {
    core.credentials.forget();
    core.reportCache.invalidate(agentId);
    core.instances.invalidate(agentId);
    core.doorbell.ring(agentKey(agentId));
  },
  /** Another program calls with the agent's token. */
  instance(core: Core, agentId: string) {
    core.instances.invalidate(agentId);
    core.doorbell.replace(agentKey(agentId));
  },
  /** The agent is stopping. Calls that it made just before must not make it ONLINE again. */
  stopped(core: Core, agentId: string) {
    core.presence.agents.delete(agentId);
    core.instances.invalidate(agentId);
    core.doorbell.replace(agentKey(agentId));
  },
  /** The agent's last report no longer describes its services. */
  report(core: Core, agentId: string) {
    core.reportCache.invalidate(agentId);
  },
  /** The last reports of all agents may no longer describe their services. */
  reports(core: Core) {
    core.reportCache.clear();
  },
  /** The command has ended. */
  command(core: Core, commandId: string) {
    core.doorbell.ring(commandKey(commandId));
    core.doorbell.ring(outputKey(commandId));
  },
  /** The command has more output. */
  output(core: Core, commandId: string) {
    core.doorbell.ring(outputKey(commandId));
  },
  /** The request for approval has ended. */
  approval(core: Core, approvalId: string) {
    core.doorbell.ring(approvalKey(approvalId));
  },
  /** The service has changed, perhaps without an audit row. */
  service(core: Core, serviceId: string) {
    if (core.feed.isWatched) core.feed.noteService(serviceId);
  },
  /** The audit trail has a new row. */
  trail(core: Core) {
    if (core.feed.isWatched) core.feed.ring();
  },
  /**
   * After a clock jump, deadlines of open commands were moved, or times of agents' programs were
   * corrected. Polls may have treated pending commands as expired, so they must look again.
   */
  deadlines(core: Core) {
    core.instances.clear();
    wakeConcerned(core);
  },
  /** The storage did not work, or no server ran, so agents could not be heard. */
  absence(core: Core) {
    core.statusClock.isAbsenceUnread = true;
  },
  settings(core: Core) {
    core.settings.live.forget();
  },
};

type ChangeKind = keyof typeof effects;

/**
 * Notes that the transaction makes a change of this kind to the object with this id. Some kinds
 * have no id. The effects follow the commit.
 */
export function noteChange(core: Core, tx: Tx, kind: ChangeKind, id = ""): void {
  noteForOthers(tx, kind, id);
  tx.afterCommit(() => effects[kind](core, id));
}

/** Like `noteChange`, but only for other processes. */
export function noteForOthers(tx: Tx, kind: ChangeKind, id = ""): void {
  tx.concerns(`${kind} ${id}`);
}

/**
 * Returns false for an unknown kind of change: the process that made it may run a newer version.
 */
export function applyForeignChange(core: Core, key: string): boolean {
  const [kind = "", id = ""] = key.split(" ");
  if (!Object.hasOwn(effects, kind)) return false;
  effects[kind as ChangeKind](core, id);
  return true;
}
