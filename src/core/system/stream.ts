// The live stream sends new audit events, and the current state of their targets. It reads the
// audit trail after each commit, so it includes changes by other processes, in order and without
// gaps.

import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { stream } from "../../api/stream.ts";
import { credentialOf, type Principal } from "../../domain/access/principals.ts";
import {
  type AuditEvent,
  type AuditTargetType,
  type ChainLink,
  hasLost,
} from "../../domain/audit/audit-events.ts";
import { AppError } from "../../domain/errors.ts";
import { streamLimits } from "../../domain/limits.ts";
import { type StreamType, streamTypes } from "../../domain/stream.ts";
import { auditHead, readAuditEvents } from "../../store/audit/audit-events.ts";
import { findCommand } from "../../store/tables/commands/commands.ts";
import { findAgent } from "../../store/tables/fleet/agents.ts";
import { findService, listAgentServiceIds } from "../../store/tables/fleet/services.ts";
import { isStillAllowed } from "../access/still-allowed.ts";
import { toAuditEventView } from "../audit/audit-events.ts";
import { presentCaller } from "../caller.ts";
import type { Waiter } from "../changes/doorbell.ts";
import { feedKey, type Watcher } from "../changes/stream-watchers.ts";
import { toCommandSummary } from "../commands/views.ts";
import type { Core, Ctx } from "../context.ts";
import { toAgentSummary } from "../fleet/agents.ts";
import { toServiceSummary } from "../fleet/services.ts";
import type { HandlersOf } from "../handlers.ts";
import { flushBeforeRead } from "../presence/flush.ts";

export const handlers: HandlersOf<typeof stream> = {
  "stream.open": (ctx, { query }) => openStream(ctx, query.types),
};

/** The number of rows read together, and of states sent in one turn of the event loop. */
const batch = 100;
/** Changes within this time are sent together. */
const paceMs = 20;
/** How often the credentials of watchers are checked: at least once per second. */
const recheckMs = 900;
const retryMs = 500;

/** Changes to these targets can end a watcher's session or API key. */
const credentialTargets: ReadonlySet<string> = new Set<AuditTargetType>([
  "session",
  "user",
  "api_key",
]);

/** Sends changes until the caller leaves or its session ends. */
export async function openStream(
  { core, caller, principal }: Ctx,
  types: readonly StreamType[] = streamTypes,
): Promise<void> {
  const { outlet } = caller;
  if (caller.gone) return;
  if (!outlet) {
    throw new AppError(
      "INVALID_REQUEST",
      "This route is a WebSocket: open it with a WebSocket client, at ws:// or wss://.",
    );
  }
  requireRoom(core, principal);
  const watcher: Watcher = { principal, types: new Set(types), outlet };
  core.feed.add(watcher);
  caller.onGone(() => core.feed.remove(watcher));
  try {
    core.feed.following ??= follow(core);
    await core.feed.following;
  } catch (error) {
    core.feed.remove(watcher);
    throw error;
  }
}

function requireRoom(core: Core, principal: Principal): void {
  const { maxOpen, maxOpenPerCredential } = streamLimits;
  const { watchers } = core.feed;
  const credential = credentialOf(principal);
  const own = [...watchers].filter((watcher) => credentialOf(watcher.principal) === credential);
  const isOwn = credential !== null && own.length >= maxOpenPerCredential;
  if (!isOwn && watchers.size < maxOpen) return;
  core.limitWatch.note("streams", { credential });
  const later = { retryAfterSeconds: 10 };
  if (!isOwn) throw new AppError("UNAVAILABLE", `${maxOpen} streams are already open.`, later);
  const message = `This credential already has ${maxOpenPerCredential} open streams: close one.`;
  throw new AppError("RATE_LIMITED", message, later);
}

async function follow(core: Core): Promise<void> {
  const waiter = core.doorbell.register(feedKey, presentCaller);
  try {
    const newest = await auditHead(core.db.read);
    void sendUntilNobodyWatches(core, waiter, new Follower(core, newest));
  } catch (error) {
    core.feed.following = null;
    waiter.close();
    throw error;
  }
}

async function sendUntilNobodyWatches(core: Core, waiter: Waiter, follower: Follower) {
  const { feed } = core;
  while (feed.isWatched && !waiter.ended) {
    try {
      await follower.sendNews();
    } catch (error) {
      if (waiter.ended) break;
      if (!core.storage.recordFailure(core, error)) {
        core.log.error({ err: error }, "the live stream could not be sent; retrying");
      }
      await pause(retryMs);
    }
    await pause(paceMs);
    await waiter.wait(follower.untilRecheckMs);
  }
  // No await may follow, so that the next watcher starts a new loop.
  feed.following = null;
  waiter.close();
  for (const { outlet } of feed.watchers) outlet.end("stopping");
}

/** The last row of the audit trail that was sent, and the targets whose state has not been sent yet. */
class Follower {
  readonly #core: Core;
  #last: ChainLink | undefined;
  #recheckAt: number;
  readonly #agents = new Set<string>();
  readonly #services = new Set<string>();
  readonly #commands = new Set<string>();

  constructor(core: Core, last: ChainLink | undefined) {
    this.#core = core;
    this.#last = last;
    this.#recheckAt = core.monotonic() + recheckMs;
  }

  get untilRecheckMs(): number {
    return this.#recheckAt - this.#core.monotonic();
  }

  async sendNews(): Promise<void> {
    const { feed, monotonic } = this.#core;
    while (feed.isWatched) {
      if (feed.takeDoubt()) this.#recheckAt = monotonic();
      const events = await this.#nextEvents();
      if (events === null) return this.#startAgain();
      await this.#dismiss(events);
      for (const event of events) this.#send(event);
      for (const id of feed.takeNotedServices()) this.#services.add(id);
      await this.#sendStates();
      if (events.length < batch) return;
      await nextTurn();
    }
  }

  /** Returns null if the last row is gone: the database may have failed over to a lagging replica. */
  async #nextEvents(): Promise<AuditEvent[] | null> {
    const last = this.#last;
    const range = { after: last ? last.seq - 1 : 0, upTo: Number.MAX_SAFE_INTEGER };
    const events = await readAuditEvents(this.#core.db.read, range, batch + 1);
    if (!last) return events.slice(0, batch);
    if (hasLost(last, events[0])) return null;
    return events.filter(({ seq }) => seq > last.seq).slice(0, batch);
  }

  /** Ends all streams. When the clients reconnect, they read what has replaced the lost rows. */
  async #startAgain(): Promise<void> {
    const { db, feed } = this.#core;
    this.#last = await auditHead(db.read);
    for (const watcher of feed.watchers) {
      feed.remove(watcher);
      watcher.outlet.end("rowsLost");
    }
  }

  /** Ends the streams of watchers with invalid credentials before they receive these events. */
  async #dismiss(events: AuditEvent[]): Promise<void> {
    const core = this.#core;
    const now = core.monotonic();
    const ending = events.some(({ targetType }) => credentialTargets.has(targetType));
    if (!ending && now < this.#recheckAt) return;
    for (const watcher of core.feed.watchers) {
      const { principal, outlet } = watcher;
      if (await isStillAllowed(core, core.db.read, principal)) continue;
      core.feed.remove(watcher);
      outlet.end(principal.kind === "user" ? "sessionEnded" : "apiKeyEnded");
    }
    this.#recheckAt = now + recheckMs;
  }

  #send(event: AuditEvent): void {
    const [shown, forOwners] = [toAuditEventView(event, null), toAuditEventView(event, "owner")];
    this.#core.feed.publish("audit", event.at, shown, forOwners);
    this.#last = event;
    const { targetType, targetId } = event;
    if (targetId === null) return;
    if (targetType === "agent") this.#agents.add(targetId);
    else if (targetType === "service") this.#services.add(targetId);
    else if (targetType === "command") this.#commands.add(targetId);
  }

  /**
   * Sends each state once, however often it has changed. An agent's services are sent with the
   * agent.
   */
  async #sendStates(): Promise<void> {
    const core = this.#core;
    const { read } = core.db;
    if (!core.feed.wants("agent") && !core.feed.wants("service")) {
      this.#agents.clear();
      this.#services.clear();
    }
    // Flushed first, because the stored times of services could otherwise be too old.
    if (this.#agents.size + this.#services.size > 0) await flushBeforeRead(core);
    for (const id of this.#agents) {
      const most = streamLimits.maxServicesOfAgent;
      for (const service of await listAgentServiceIds(read, id, most)) this.#services.add(service);
    }
    await this.#sendEach("agent", this.#agents, async (id) => {
      const agent = await findAgent(read, id);
      return agent && toAgentSummary(agent);
    });
    await this.#sendEach("service", this.#services, async (id) => {
      const service = await findService(read, id);
      return service && toServiceSummary(core, service, core.statusClock.now());
    });
    await this.#sendEach("command", this.#commands, async (id) => {
      const command = await findCommand(read, id);
      return command && toCommandSummary(command);
    });
  }

  /** After a failed read, all states are sent again. */
  async #sendEach(
    type: StreamType,
    ids: Set<string>,
    find: (id: string) => Promise<object | null>,
  ): Promise<void> {
    const { feed, now } = this.#core;
    let sent = 0;
    for (const id of ids) {
      if (!feed.wants(type)) break;
      const state = await find(id);
      if (state) feed.publish(type, now(), state);
      sent++;
      if (sent % batch === 0) await nextTurn();
    }
    ids.clear();
  }
}
