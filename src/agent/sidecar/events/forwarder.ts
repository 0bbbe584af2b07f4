// Reads the events of one service and publishes them in order, each at least once. The server
// stores each id only once.

import { isJsonObject } from "../../../domain/payload/json.ts";
import { pause } from "../../bell.ts";
import { jittered } from "../../connection/backoff.ts";
import { messageOf } from "../../connection/errors.ts";
import type { Emit } from "../../events/events.ts";
import type { Publish, PublishedEvent } from "../../events/published-event.ts";
import type { StateFile } from "../../state-file.ts";
import type { BusConfig } from "../config/config.ts";
import type { ConfigOrigin } from "../config-origin.ts";
import { publicUrl } from "../http-call.ts";
import { type Cursor, cursorFile } from "./cursor-file.ts";
import {
  type ForwardingTiming,
  isPoison,
  Trouble,
  troubleCodeOf,
  usualTiming,
} from "./forwarding-trouble.ts";
import { askForEvents, type EventsPage, tooLarge } from "./service-events.ts";
import { TroubleReporter } from "./trouble-reporter.ts";

const largestLimit = 100;

export interface ForwarderOptions {
  serviceCode: string;
  bus: BusConfig;
  origin: ConfigOrigin;
  stateDir: string;
  publish: Publish;
  emit: Emit;
  timing?: ForwardingTiming;
}

interface Relayed {
  stored: number;
  duplicates: number;
  skipped: number;
}

export class Forwarder {
  readonly #options: ForwarderOptions;
  readonly #file: StateFile<Cursor>;
  readonly #trouble: TroubleReporter;
  /** The cursor is undefined until its file is read. */
  #cursor: string | null | undefined;
  #limit = largestLimit;
  /** Events of the latest page that need no more work. The cursor has not passed them yet. */
  #settled = new Set<string>();

  constructor(options: ForwarderOptions) {
    const { serviceCode, stateDir, emit, timing = usualTiming } = options;
    this.#options = options;
    this.#file = cursorFile(stateDir, serviceCode);
    this.#trouble = new TroubleReporter(serviceCode, timing, emit);
  }

  /** Never rejects. */
  async start(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const isMore = await this.#forwardPage(signal);
        this.#trouble.over();
        if (!isMore) await pause(jittered(this.#options.bus.intervalMs), signal);
      } catch (error) {
        if (!signal.aborted) await pause(this.#trouble.failed(error), signal);
      }
    }
  }

  /** Returns whether the page had events, in which case there may be more. */
  async #forwardPage(signal: AbortSignal): Promise<boolean> {
    const { url } = this.#options.bus;
    if (this.#cursor === undefined) {
      const stored = await this.#file.read();
      this.#cursor = stored?.url === url ? stored.cursor : null;
    }
    const { events, cursor } = await this.#nextPage(this.#cursor, signal);
    if (cursor === null) return false;
    await this.#relayAll(events, signal);
    if (cursor === this.#cursor) throw this.#cursorUnchanged(cursor);
    await this.#file.write({ url, cursor });
    this.#cursor = cursor;
    this.#settled.clear();
    return true;
  }

  /** Asks for smaller pages while the response is too large. */
  async #nextPage(after: string | null, signal: AbortSignal): Promise<EventsPage> {
    const { bus, origin } = this.#options;
    while (true) {
      const page = await askForEvents(bus, { after, limit: this.#limit }, { ...origin, signal });
      if (page) {
        this.#limit = Math.min(this.#limit * 2, largestLimit);
        return page;
      }
      if (this.#limit === 1) throw tooLarge(bus);
      this.#limit = Math.floor(this.#limit / 2);
    }
  }

  async #relayAll(events: unknown[], signal: AbortSignal): Promise<void> {
    const before = this.#settled;
    const settled = new Set<string>();
    const relayed: Relayed = { stored: 0, duplicates: 0, skipped: 0 };
    try {
      for (const event of events) {
        const key = JSON.stringify(event);
        if (!before.has(key)) relayed[await this.#relay(event, signal)]++;
        settled.add(key);
      }
    } finally {
      this.#settled = settled;
      this.#emitForwarded(relayed);
    }
  }

  async #relay(event: unknown, signal: AbortSignal): Promise<keyof Relayed> {
    const { publish, serviceCode } = this.#options;
    if (!isJsonObject(event)) return this.#skip(null, "EVENT_INVALID", "it is not an object");
    const source = event.source ?? serviceCode;
    const id = idOf(event);
    // A generated id would differ at the next attempt.
    if (id === undefined || id === null) return this.#skip(null, "EVENT_INVALID", "it has no id");
    try {
      // The server checks the other fields.
      const sent = { ...event, id, source } as PublishedEvent;
      const { duplicate } = await publish(sent, { signal });
      return duplicate ? "duplicates" : "stored";
    } catch (error) {
      if (signal.aborted || !isPoison(error, source === serviceCode)) throw error;
      return this.#skip(String(id).slice(0, 200), troubleCodeOf(error), messageOf(error));
    }
  }

  #skip(eventId: string | null, code: string, reason: string): "skipped" {
    const { emit, serviceCode } = this.#options;
    const name = eventId === null ? "An event" : `The event ${eventId}`;
    const message = `${name} of ${serviceCode} was skipped: ${reason}`;
    emit("error", message, { type: "bus.skipped", serviceCode, eventId, code });
    return "skipped";
  }

  #emitForwarded({ stored, duplicates, skipped }: Relayed): void {
    if (stored + duplicates === 0) return;
    const { emit, serviceCode } = this.#options;
    const again = duplicates > 0 ? `; the server already had ${duplicates}` : "";
    const message = `Events of ${serviceCode} forwarded: ${stored}${again}.`;
    emit("info", message, { type: "bus.forwarded", serviceCode, stored, duplicates, skipped });
  }

  #cursorUnchanged(cursor: string): Trouble {
    const url = publicUrl(this.#options.bus.url);
    const message = `GET ${url} returned the same cursor again: ${cursor}`;
    return new Trouble("SERVICE_ANSWER_INVALID", message);
  }
}

/** The server accepts only text. An unsafe number may have been rounded to another event's id. */
function idOf({ id }: Record<string, unknown>): unknown {
  return Number.isSafeInteger(id) ? String(id) : id;
}
