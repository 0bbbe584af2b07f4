// Invalidates cached responses as soon as the live stream reports a change, but at most once a
// second, or once every four seconds for summaries. This happens only while the page is visible,
// because a hidden page must not extend its session. Reads in progress are not aborted; otherwise
// slow reads would never finish while messages arrive. The health map is not invalidated by
// changes: live-map.ts applies them to it.

import type { Query } from "@tanstack/react-query";
import { isLeaving, queryClient } from "../client/queries.ts";
import { reloadSession } from "../client/session.ts";
import { LiveMap, mapRoute } from "./live-map.ts";
import type { StreamMessage } from "./live-stream.ts";

const pauseMs = 1_000;
/** The messages about one change arrive within this time. */
const gatherMs = 50;

/** Summaries of the whole fleet. While it keeps changing, they are read again less often. */
const isSummary = (prefix: string) => /^(overview|attention)\./.test(prefix);
const summaryPauseMs = 4_000;

/**
 * The prefixes of the routes to invalidate, by the subject of a message. An audit event also
 * invalidates its own noun: `api_key.revoked` invalidates `api-keys.list`.
 */
const rules: [about: RegExp, prefixes: string[]][] = [
  [/^agent$/, ["agents.", "services.", "overview.get", "attention."]],
  [/^service$/, ["services.", "agents.get", "overview.get", "attention."]],
  [/^command /, ["commands.list", "bus-events.", "overview.get", "overview.commands"]],
  [/^command rollout$/, ["rollouts."]],
  [/^audit /, ["audit-events."]],
  [/^audit (registration_token|audit)\./, ["overview.get"]],
  // For a deleted object, the stream sends only the audit event.
  [/^audit agent\./, ["services.", "registration-tokens.", "overview.get", "attention."]],
  [/^audit service\./, ["agents.get", "overview.get", "attention."]],
  [/^audit (agent|service)\.deleted$/, [mapRoute]],
  [/^audit user\./, ["api-keys.", "auth.sessions"]],
  [/^audit session\./, ["users.sessions", "auth.sessions"]],
  [/^audit settings\./, ["diagnostics.", "auth."]],
  [/^audit approval\./, ["rollouts.", "schedules.", "overview.get"]],
  [/^audit policy\./, ["approval-policies."]],
  [/^audit schedules?\./, ["schedules.", "overview.get"]],
  // The end of a rollout also ends the run of its schedule.
  [/^audit rollout\./, ["schedules."]],
  [/^command schedule$/, ["schedules."]],
];

/** Returns `audit agent.disabled`, `command rollout` with the kind of the source, or the type. */
function aboutOf({ type, data }: StreamMessage): string {
  if (type === "audit") return `audit ${data.action}`;
  return type === "command" ? `command ${data.source.kind}` : type;
}

function nounOf(action: string): string {
  return action.split(".", 1)[0]?.replaceAll("_", "-") ?? "";
}

export class Refresher {
  readonly #prefixes = new Set<string>();
  /** Queries that became stale while they were being read. They are read again afterwards. */
  #late: ReadonlySet<Query> = new Set();
  #timer: number | undefined;
  #refreshedAt = -Infinity;
  /** When the summaries were last invalidated. */
  #summariesAt = -Infinity;
  readonly #map = new LiveMap();

  constructor() {
    document.addEventListener("visibilitychange", this.#refresh);
  }

  note(message: StreamMessage): void {
    const about = aboutOf(message);
    if (message.type === "audit") this.#prefixes.add(nounOf(message.data.action));
    this.#map.note(message);
    for (const [pattern, prefixes] of rules) {
      if (pattern.test(about)) for (const prefix of prefixes) this.#prefixes.add(prefix);
    }
    this.#schedule();
  }

  /** Called after an interruption, when any data may have changed. */
  noteAll(): void {
    this.#prefixes.add("");
    this.#refresh();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#refresh);
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    const waitMs = Math.max(gatherMs, this.#refreshedAt + pauseMs - performance.now());
    this.#timer ??= window.setTimeout(this.#refresh, waitMs);
  }

  #refresh = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (document.hidden) return;
    this.#refreshedAt = performance.now();
    // The stream can report a deletion before the response arrives and the page is left.
    if (isLeaving()) {
      this.#schedule();
      return;
    }
    const mapIsDue = this.#map.update();
    if (mapIsDue === "now") this.#prefixes.add(mapRoute);
    if (mapIsDue === "later") this.#schedule();
    const prefixes = this.#takePrefixes();
    const late = this.#late;
    if (this.#prefixes.size > 0) this.#schedule();
    if (prefixes.length + late.size === 0) return;
    // The session contains the workspace's name and the server's version, which the frame shows.
    if (["", "auth."].some((prefix) => prefixes.includes(prefix))) reloadSession();
    const isStale = (query: Query) =>
      late.has(query) || prefixes.some((prefix) => String(query.queryKey[0]).startsWith(prefix));
    const cache = queryClient.getQueryCache();
    this.#late = new Set(cache.findAll({ predicate: isStale, fetchStatus: "fetching" }));
    void queryClient.invalidateQueries({ predicate: isStale }, { cancelRefetch: false });
    if (this.#late.size > 0) this.#schedule();
  };

  /** Leaves out the summaries if they were invalidated a moment ago. */
  #takePrefixes(): string[] {
    const now = performance.now();
    const all = [...this.#prefixes];
    const isEarly = now < this.#summariesAt + summaryPauseMs && !this.#prefixes.has("");
    const taken = isEarly ? all.filter((prefix) => !isSummary(prefix)) : all;
    if (!isEarly && all.some(isSummary)) this.#summariesAt = now;
    for (const prefix of taken) this.#prefixes.delete(prefix);
    return taken;
  }
}
