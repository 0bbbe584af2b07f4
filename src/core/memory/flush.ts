// Brings what memory knows first (signs of life, unchanged reports, uses of keys, counters) to the
// database.

import { markOnline, touchAgent } from "../../store/tables/agents.ts";
import { noteKeyUse } from "../../store/tables/api-keys.ts";
import { touchService } from "../../store/tables/services.ts";
import { audit } from "../audit/trail.ts";
import { type Core, type Ctx, systemContext } from "../context.ts";
import { writeCounters } from "./counters.ts";

/** How long a read waits for a write that it can do without. */
const patienceMs = 500;

/**
 * Makes the database as fresh as memory: last signs of life, unchanged reports, counters. An agent
 * that was OFFLINE becomes ONLINE. Costs nothing when there is nothing new.
 */
export async function flushPresence(core: Core): Promise<void> {
  if (!core.presence.dirty && !core.counters.dirty) return core.presence.flushing;
  const flushing = flush(core);
  core.presence.flushing = flushing.catch(() => undefined);
  return flushing;
}

async function flush(core: Core): Promise<void> {
  const presence = core.presence.take();
  const counters = core.counters.take();
  const ctx = systemContext(core);
  try {
    await core.db.write(async (tx) => {
      for (const [id, at] of presence.agents) {
        await touchAgent(tx, id, at);
        if (!(await markOnline(tx, id))) continue;
        await audit(ctx, tx, { action: "agent.online", targetType: "agent", targetId: id });
      }
      for (const [id, at] of presence.services) await touchService(tx, id, at);
      for (const [id, at] of presence.keys) await noteKeyUse(tx, id, at);
      await writeCounters(tx, counters);
      tx.afterCommit(() => {
        core.counters.written(counters);
        core.presence.written(presence);
      });
    });
  } catch (error) {
    core.presence.restore(presence);
    core.counters.restore(counters);
    throw error;
  }
}

/**
 * Before a read of agents, services or API keys: what is in memory goes to the database first. When
 * that cannot be written, or not soon, the read goes on with what is there.
 */
export async function settle({ core }: Ctx): Promise<void> {
  const { presence, storage, log } = core;
  if (storage.problem() !== null) return;
  try {
    await notForLong(presence.dirty ? flushPresence(core) : presence.flushing);
  } catch (error) {
    if (storage.took(core, error)) return;
    log.warn({ err: error }, "signs of life could not be written before a read");
  }
}

/** Waits for a write that the caller can do without: another process may keep the database locked. */
export function notForLong(write: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, patienceMs);
    write.then(() => resolve(), reject).finally(() => clearTimeout(timer));
  });
}
