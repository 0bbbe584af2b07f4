// Writes to the database what was first kept in memory (presence.ts, counters.ts).

import { markOnline, touchAgent } from "../../store/tables/agents.ts";
import { noteKeyUse } from "../../store/tables/api-keys.ts";
import { addToCounter } from "../../store/tables/counters.ts";
import { touchService } from "../../store/tables/services.ts";
import { audit } from "../audit/trail.ts";
import { type Core, systemContext } from "../context.ts";

/** How long a read waits for an optional write. */
const patienceMs = 500;

/** Writing this many agents and services takes about 5 ms. */
const sliceSize = 500;

const noValue = () => undefined;

/** An OFFLINE agent that has called becomes ONLINE. */
export async function flushPresence(core: Core): Promise<void> {
  if (!core.presence.dirty && !core.counters.dirty) return core.presence.flushing;
  const flushing = flush(core);
  core.presence.flushing = Promise.allSettled([core.presence.flushing, flushing]).then(noValue);
  return flushing;
}

/** A large fleet is written in slices, so that no transaction blocks the event loop for long. */
async function flush(core: Core): Promise<void> {
  const { agents, services, keys } = core.presence;
  // What is added during this flush is left to the next one.
  const slices = Math.ceil(Math.max(agents.size, services.size, keys.size, 1) / sliceSize);
  for (let slice = 0; slice < slices; slice++) await flushSlice(core);
}

async function flushSlice(core: Core): Promise<void> {
  const agents = core.presence.agents.take(sliceSize);
  const services = core.presence.services.take(sliceSize);
  const keys = core.presence.keys.take(sliceSize);
  const counters = core.counters.take();
  const taken = [agents, services, keys, counters];
  const ctx = systemContext(core);
  try {
    await core.db.write(async (tx) => {
      for (const [id, at] of agents.values) {
        await touchAgent(tx, id, at);
        if (!(await markOnline(tx, id))) continue;
        await audit(ctx, tx, { action: "agent.online", targetId: id });
      }
      for (const [id, at] of services.values) await touchService(tx, id, at);
      for (const [id, at] of keys.values) await noteKeyUse(tx, id, at);
      for (const [name, amount] of counters.values) await addToCounter(tx, name, amount);
      tx.afterCommit(() => {
        for (const { written } of taken) written();
      });
    });
  } catch (error) {
    for (const { restore } of taken) restore();
    throw error;
  }
}

/** If the flush fails or takes too long, the read that follows uses what is stored. */
export async function settle(core: Core): Promise<void> {
  const { presence, storage, log } = core;
  if (storage.problem() !== null) return;
  try {
    await notForLong(presence.dirty ? flushPresence(core) : presence.flushing);
  } catch (error) {
    if (storage.took(core, error)) return;
    log.warn({ err: error }, "the latest calls could not be written before a read");
  }
}

/** Waits only briefly, because another process may have locked the database. */
export function notForLong(write: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, patienceMs);
    write.then(() => resolve(), reject).finally(() => clearTimeout(timer));
  });
}
