// Counts how often each limit was reached, for diagnostics, metrics and the log.

import { type LimitName, limitNames } from "../../domain/limits.ts";
import type { Log } from "../../lib/log.ts";

const messages: Record<LimitName, string> = {
  connections: "connections were refused: the server has reached PLATFORM_MAX_CONNECTIONS",
  connectionsPerAddress:
    "connections were refused: an address has reached PLATFORM_MAX_CONNECTIONS_PER_ADDRESS",
  idleConnections: "idle connections were closed to make room for new ones",
  pipelinedRequests: "connections were closed: too many requests without waiting for a response",
  stalledOutput: "connections were closed: the clients did not read from them for too long",
  pendingOutput:
    "connections were closed: unread responses have reached PLATFORM_MAX_PENDING_OUTPUT_BYTES",
  pendingBodies:
    "requests were refused: bodies have reached PLATFORM_MAX_PENDING_BODY_BYTES, or a caller's share of it",
  requestsPerCredential:
    "requests were refused: more than PLATFORM_MAX_REQUESTS_PER_SECOND with one credential",
  failedRegistrations: "registrations were refused: too many have failed",
  streams: "live streams were refused: too many are open",
  heavyCalls:
    "requests were refused: a credential made too many heavy requests or downloads at the same time",
  commandOutput:
    "calls with command output were refused: one agent, or all agents together, made too many",
  logLines: "log lines were dropped: they were written faster than they could be stored",
};

/** The minimum interval between two log lines for the same limit. */
const logEveryMs = 60_000;

export interface Usage {
  used: number;
  allowed: number;
}

const none: Usage = { used: 0, allowed: 0 };

interface ListenerUsage {
  connections: Usage;
  pendingBodyBytes: Usage;
  pendingOutputBytes: Usage;
}

interface ClientLimits {
  connectionsPerAddress: number | null;
  /** Per credential; 0 means no limit. */
  requestsPerSecond: number | null;
  /** How long a response can stay unread before its connection is closed. */
  stalledOutputSeconds: number | null;
}

interface Reached {
  count: number;
  logged: number;
  loggedAt: number;
}

export class LimitWatch {
  /** Set by the listener; all zero without a listener. */
  usage: () => ListenerUsage = () => ({
    connections: none,
    pendingBodyBytes: none,
    pendingOutputBytes: none,
  });
  /** Set by the listener; all null without a listener. */
  perClient: ClientLimits = {
    connectionsPerAddress: null,
    requestsPerSecond: null,
    stalledOutputSeconds: null,
  };
  readonly #reached = new Map<LimitName, Reached>();
  readonly #log: () => Log;
  readonly #monotonic: () => number;

  constructor(log: () => Log, monotonic: () => number) {
    this.#log = log;
    this.#monotonic = monotonic;
  }

  /** Adds `fields`, such as an address or an id, to the log line. */
  note(name: LimitName, fields: object = {}, times = 1): void {
    const now = this.#monotonic();
    const reached = this.#reached.get(name) ?? { count: 0, logged: 0, loggedAt: -logEveryMs };
    reached.count += times;
    this.#reached.set(name, reached);
    if (now - reached.loggedAt < logEveryMs) return;
    const since = reached.count - reached.logged;
    // Updated first, because the log may drop the line and call this method again.
    reached.logged = reached.count;
    reached.loggedAt = now;
    this.#log().warn({ limit: name, times: since, ...fields }, messages[name]);
  }

  counts(): Record<LimitName, number> {
    const counts = limitNames.map((name) => [name, this.#reached.get(name)?.count ?? 0]);
    return Object.fromEntries(counts) as Record<LimitName, number>;
  }
}
