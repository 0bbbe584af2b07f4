// Which answers in the cache a message of the live stream makes old. They are read anew together, at most
// once a second, and only while somebody looks: a page in the background does not keep its session alive.

import type { RouteName } from "../../api/index.ts";
import { queryClient, refreshAll } from "../client/queries.ts";
import { loadSession } from "../client/session.ts";
import type { StreamMessage } from "./live-stream.ts";

const pauseMs = 1_000;

/** By what the message is of; for audit events by the beginning of their action. */
const nouns: [about: RegExp, beginnings: string[]][] = [
  [/^agent$/, ["agents.", "services.", "overview."]],
  [/^service$/, ["services.", "agents.get", "overview."]],
  [/^command$/, ["commands.list", "bus-events.", "overview."]],
  [/^audit /, ["audit-events."]],
  [/^audit registration_token\./, ["registration-tokens.", "overview."]],
  [/^audit agent\./, ["agents.", "registration-tokens."]],
  [/^audit user\./, ["users."]],
  [/^audit api_key\./, ["api-keys."]],
  [/^audit bus\./, ["bus-"]],
  [/^audit settings\./, ["settings.", "diagnostics.", "auth."]],
];

export class Refresher {
  readonly #beginnings = new Set<string>();
  #isAllOld = false;
  #timer: number | undefined;

  constructor() {
    document.addEventListener("visibilitychange", this.#refresh);
  }

  note(message: StreamMessage): void {
    const about = message.type === "audit" ? `audit ${message.data.action}` : message.type;
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
    if (document.hidden || (!this.#isAllOld && this.#beginnings.size === 0)) return;
    const beginnings = [...this.#beginnings];
    const isAllOld = this.#isAllOld;
    this.#beginnings.clear();
    this.#isAllOld = false;
    // It tells what the frame shows: the workspace's name, the server's version.
    if (isAllOld || beginnings.includes("auth.")) void loadSession().catch(() => undefined);
    if (isAllOld) {
      void refreshAll();
      return;
    }
    void queryClient.invalidateQueries({
      predicate: ({ queryKey }) => {
        const name = queryKey[0] as RouteName;
        return name !== "commands.get" && beginnings.some((each) => name.startsWith(each));
      },
    });
  };
}
