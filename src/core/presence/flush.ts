// Writes to the database what was at first kept in memory (presence.ts, counters.ts).

import { endsWithin } from "../../lib/time-limit.ts";
import { blocksOf, type TimeOf } from "../../store/blocks.ts";
import type { Tx } from "../../store/database.ts";
import { noteKeyUse } from "../../store/tables/access/api-keys.ts";
import { addToCounter } from "../../store/tables/counters.ts";
import { listOfflineAmong, markOnline, touchAgents } from "../../store/tables/fleet/agents.ts";
import { beginPeriods } from "../../store/tables/fleet/service-history.ts";
import { listRecoveredAmong, touchServices } from "../../store/tables/fleet/service-statuses.ts";
import { audit } from "../audit/trail.ts";
import { noteChange } from "../changes/changes.ts";
import { type Core, type Ctx, systemContext } from "../context.ts";
import { timer } from "../short-transactions.ts";

/**
 * How long a call waits for a write that it does not depend on. The wait is short, because another
 * process may have locked the database.
 */
export const optionalWriteMs = 500;

/** An OFFLINE agent that has called becomes ONLINE. Flushes run one after the other. */
export async function flushPresence(core: Core): Promise<void> {
  const { presence, counters } = core;
  if (!presence.dirty && !counters.dirty) return presence.flushing;
  presence.next ??= presence.flushing.then(() => {
    presence.next = null;
    const flushing = flush(core);
    presence.flushing = flushing.catch(() => undefined);
    return flushing;
  });
  return presence.next;
}

interface Taken {
  values: ReadonlyMap<string, number>;
}

/** Thousands of agents can call in one second, so this takes several transactions. */
async function flush(core: Core): Promise<void> {
  const agents = core.presence.agents.take();
  const services = core.presence.services.take();
  const keys = core.presence.keys.take();
  const counters = core.counters.take();
  const taken = [agents, services, keys, counters];
  const ctx = systemContext(core);
  // Each value is read when it is written, because it may have been dropped in the meantime.
  const each = ({ values }: Taken, write: (tx: Tx, times: readonly TimeOf[]) => Promise<void>) =>
    blocksOf([...values.keys()]).map((ids) => async (tx: Tx) => {
      const times = ids.flatMap((id): TimeOf[] => {
        const at = values.get(id);
        return at === undefined ? [] : [[id, at]];
      });
      if (times.length > 0) await write(tx, times);
    });
  const writes = [
    ...each(agents, (tx, times) => noteCalls(ctx, tx, times)),
    ...each(services, (tx, times) => noteReports(core, tx, times)),
    ...each(keys, noteKeyUses),
  ];
  try {
    for (let done = 0, isLast = false; !isLast; ) {
      [done, isLast] = await core.db.write(async (tx) => {
        const isOver = timer(core);
        let next = done;
        do await writes[next++]?.(tx);
        while (next < writes.length && !isOver());
        if (next < writes.length) return [next, false];
        // Counters come last, because a failed flush is repeated: amounts that were already added
        // would then count twice.
        for (const [name, amount] of counters.values) await addToCounter(tx, name, amount);
        tx.afterCommit(() => {
          for (const { written } of taken) written();
        });
        return [next, true];
      });
    }
  } catch (error) {
    for (const { restore } of taken) restore();
    throw error;
  }
}

async function noteCalls(ctx: Ctx, tx: Tx, times: readonly TimeOf[]): Promise<void> {
  const calledAt = new Map(times);
  const { clockSkews } = ctx.core.presence;
  const listed = listOfflineAmong(tx, [...calledAt.keys()]);
  const calls = times.map(([id, at]) => [id, at, clockSkews.get(id) ?? null] as const);
  const [offline] = await Promise.all([listed, touchAgents(tx, calls)]);
  tx.afterCommit(() => {
    for (const [id, , skew] of calls) if (clockSkews.get(id) === skew) clockSkews.delete(id);
  });
  for (const { id, code } of offline) {
    if (!(await markOnline(tx, id, calledAt.get(id) ?? 0))) continue;
    await audit(ctx, tx, { action: "agent.online", targetId: id, metadata: { code } });
  }
}

/** Also begins new periods for services that were STALE or OFFLINE and are reported again. */
async function noteReports(core: Core, tx: Tx, times: readonly TimeOf[]): Promise<void> {
  const [recovered] = await Promise.all([listRecoveredAmong(tx, times), touchServices(tx, times)]);
  await beginPeriods(tx, recovered);
  for (const { id } of recovered) noteChange(core, tx, "service", id);
}

async function noteKeyUses(tx: Tx, times: readonly TimeOf[]): Promise<void> {
  for (const [id, at] of times) await noteKeyUse(tx, id, at);
}

/** If the flush fails or takes too long, the read that follows uses what is stored. */
export async function flushBeforeRead(core: Core): Promise<void> {
  const { storage, log } = core;
  if (storage.problem() !== null) return;
  try {
    await endsWithin(optionalWriteMs, flushPresence(core));
  } catch (error) {
    if (storage.recordFailure(core, error)) return;
    log.warn({ err: error }, "the latest calls could not be stored, so a read shows older ones");
  }
}
