// Which answers in the cache a message of the live stream makes old. They are read anew together, at most
// once a second, and only while somebody looks: a page in the background does not keep its session alive.
// No read is broken off for that: where answers take long and messages are many, none would ever arrive.

import type { Query } from "@tanstack/react-query";
import { queryClient } from "../client/queries.ts";
import { loadSession } from "../client/session.ts";
import type { StreamMessage } from "./live-stream.ts";

const pauseMs = 1_000;

/**
 * By what the message is of; for audit events by the beginning of their action. An audit event also makes old
 * whatever is of its own noun: `api_key.revoked` all that begins with `api-key`.
 */
const nouns: [about: RegExp, beginnings: string[]][] = [
  [/^agent$/, ["agents.", "services.", "overview."]],
  [/^service$/, ["services.", "agents.get", "overview."]],
  [/^command$/, ["commands.list", "bus-events.", "overview."]],
  [/^audit /, ["audit-events."]],
  [/^audit registration_token\./, ["overview."]],
  // Of what is deleted the stream sends no state: its audit event is all there is.
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
  readonly #beginnings = new Set<string>();
  /** Were being read when they became old: read again after that. */
  #late: ReadonlySet<Query> = new Set();
  #isAllOld = false;
  #timer: number | undefined;

  constructor() {
    document.addEventListener("visibilitychange", this.#refresh);
  }

  note(message: StreamMessage): void {
    const about = message.type === "audit" ? `audit ${message.data.action}` : message.type;
    if (message.type === "audit") this.#beginnings.add(nounOf(message.data.action));
    for (const [pattern, beginnings] of nouns) {
      if (pattern.test(about)) for (const each of beginnings) this.#beginnings.add(each);
    }
    this.#schedule();
  }

  /** After a break nobody knows what has changed. */
  noteAll(): void {
    this.#isAllOld = true;
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
    const isNothingOld = this.#beginnings.size + this.#late.size === 0 && !this.#isAllOld;
    if (document.hidden || isNothingOld) return;
    const beginnings = [...this.#beginnings];
    const late = this.#late;
    const isAllOld = this.#isAllOld;
    this.#beginnings.clear();
    this.#isAllOld = false;
    // It tells what the frame shows: the workspace's name, the server's version.
    if (isAllOld || beginnings.includes("auth.")) void loadSession().catch(() => undefined);
    const isOld = (query: Query) =>
      isAllOld ||
      late.has(query) ||
      beginnings.some((each) => String(query.queryKey[0]).startsWith(each));
    const cache = queryClient.getQueryCache();
    this.#late = new Set(cache.findAll({ predicate: isOld, fetchStatus: "fetching" }));
    void queryClient.invalidateQueries({ predicate: isOld }, { cancelRefetch: false });
    if (this.#late.size > 0) this.#schedule();
  };
}
