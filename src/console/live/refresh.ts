// Which cached responses a message of the live stream invalidates. They are read again together, at most once
// a second, and only while the page is visible: a hidden page must not keep its session alive. Reads that are
// under way are not aborted; otherwise, with slow responses and many messages, none would ever arrive.

import type { Query } from "@tanstack/react-query";
import { queryClient } from "../client/queries.ts";
import { loadSession } from "../client/session.ts";
import type { StreamMessage } from "./live-stream.ts";

const pauseMs = 1_000;

/**
 * The prefixes of the routes to invalidate, by the type of the message, or by the action of an audit event. An
 * audit event also invalidates its own noun: `api_key.revoked` all routes that begin with `api-key`.
 */
const rules: [about: RegExp, prefixes: string[]][] = [
  [/^agent$/, ["agents.", "services.", "overview."]],
  [/^service$/, ["services.", "agents.get", "overview."]],
  [/^command$/, ["commands.list", "bus-events.", "overview."]],
  [/^audit /, ["audit-events."]],
  [/^audit registration_token\./, ["overview."]],
  // The stream sends no state of deleted objects, only the audit event.
  [/^audit agent\./, ["services.", "registration-tokens.", "overview."]],
  [/^audit service\./, ["agents.get", "overview."]],
  [/^audit user\./, ["api-keys.", "auth.sessions"]],
  [/^audit session\./, ["users.sessions", "auth.sessions"]],
  [/^audit settings\./, ["diagnostics.", "auth."]],
];

function nounOf(action: string): string {
  return action.split(".", 1)[0]?.replaceAll("_", "-") ?? "";
}

export class Refresher {
  readonly #prefixes = new Set<string>();
  /** Queries that were being read when they became stale: read again after that. */
  #late: ReadonlySet<Query> = new Set();
  #timer: number | undefined;

  constructor() {
    document.addEventListener("visibilitychange", this.#refresh);
  }

  note(message: StreamMessage): void {
    const about = message.type === "audit" ? `audit ${message.data.action}` : message.type;
    if (message.type === "audit") this.#prefixes.add(nounOf(message.data.action));
    for (const [pattern, prefixes] of rules) {
      if (pattern.test(about)) for (const prefix of prefixes) this.#prefixes.add(prefix);
    }
    this.#schedule();
  }

  /** After an interruption, anything may have changed. */
  noteAll(): void {
    this.#prefixes.add("");
    this.#refresh();
  }

  close(): void {
    document.removeEventListener("visibilitychange", this.#refresh);
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    this.#timer ??= window.setTimeout(this.#refresh, pauseMs);
  }

  #refresh = (): void => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (document.hidden || this.#prefixes.size + this.#late.size === 0) return;
    const prefixes = [...this.#prefixes];
    const late = this.#late;
    this.#prefixes.clear();
    // The frame shows the workspace's name and the server's version.
    if (["", "auth."].some((prefix) => prefixes.includes(prefix))) {
      void loadSession().catch(() => undefined);
    }
    const isStale = (query: Query) =>
      late.has(query) || prefixes.some((prefix) => String(query.queryKey[0]).startsWith(prefix));
    const cache = queryClient.getQueryCache();
    this.#late = new Set(cache.findAll({ predicate: isStale, fetchStatus: "fetching" }));
    void queryClient.invalidateQueries({ predicate: isStale }, { cancelRefetch: false });
    if (this.#late.size > 0) this.#schedule();
  };
}
