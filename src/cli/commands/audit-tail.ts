// `platformctl audit tail`: the newest audit events, oldest first, and with `-f` those that come. Each
// exactly once and in order, however often the connection is lost: it goes on behind the last one.

import { stringify } from "yaml";
import type { Client } from "../../client/client.ts";
import { keepWatching } from "../../client/keep-watching.ts";
import { pageSize } from "../../domain/limits.ts";
import {
  type AuditEvent,
  type AuditFilters,
  auditFiltersOf,
  letsThrough,
  withIds,
} from "../audit-filters.ts";
import type { Invocation } from "../command.ts";
import { usageError } from "../exit.ts";
import { GrowingTable } from "../growing-table.ts";
import { unlessAborted } from "../interrupted.ts";
import type { Io } from "../io.ts";
import { isForPeople, type OutputOptions, printList } from "../output.ts";
import { printableLine } from "../printable.ts";
import { auditEventView } from "./audit-events.ts";

interface TailOptions extends OutputOptions {
  follow?: boolean;
  lines: number;
}

export async function tailAuditEvents({ io, options, client, signal }: Invocation): Promise<void> {
  const { follow = false, lines, ...output } = options as unknown as TailOptions;
  const asked = auditFiltersOf(io, options);
  if (follow && asked.to !== undefined) {
    throw usageError("with --follow there is no end: leave out --to.");
  }
  const api = await client();
  const filters = await withIds(api, asked);
  if (!follow) {
    const newest = await newestEvents(api, filters, lines);
    const pagination = { page: 1, pageSize: newest.length, total: newest.length };
    printList(io, output, newest, auditEventView, { pagination, filters });
    return;
  }
  const textOf = writerOf(io, output);
  const tail = new Tail(api, filters, (events) => {
    return unlessAborted(io.outBytes(Buffer.from(textOf(events))), signal);
  });
  await tail.begin(lines);
  await tail.follow(io, signal);
}

type Print = (events: AuditEvent[]) => Promise<void>;

/** A place in the trail: what stands before it is printed, or not wanted. */
class Tail {
  readonly #api: Client;
  readonly #filters: AuditFilters;
  readonly #print: Print;
  /** The number of the last event that was printed or passed over. */
  #position = 0;

  constructor(api: Client, filters: AuditFilters, print: Print) {
    this.#api = api;
    this.#filters = filters;
    this.#print = print;
  }

  /** Prints the newest `count` and stands behind them. */
  async begin(count: number): Promise<void> {
    if (count === 0) this.#position = await headOf(this.#api);
    else await this.#pass(await newestEvents(this.#api, this.#filters, count));
  }

  /** Prints what comes, until the signal ends it or the credential does. */
  async follow(io: Io, signal: AbortSignal): Promise<never> {
    const news = keepWatching(this.#api, {
      types: ["audit"],
      onOpen: () => this.#catchUp(io),
      signal,
      random: Math.random,
    });
    let isLost = false;
    while (true) {
      const { value } = await news.next();
      if (value.kind === "message") {
        const { message } = value;
        if (message.type === "audit") await this.#take(message.data);
      } else if (value.kind === "lost") {
        if (!isLost) io.note(`Not live: ${printableLine(value.reason)}. Trying again.\n`);
        isLost = true;
      } else if (isLost) {
        io.note("Live again; nothing was missed.\n");
        isLost = false;
      }
    }
  }

  /** Prints what stands behind the position. */
  async #catchUp(io: Io): Promise<void> {
    const head = await headOf(this.#api);
    if (head < this.#position) {
      io.note(`The trail ends at row ${head} now, before row ${this.#position} that was seen.\n`);
      this.#position = head;
    }
    while (true) {
      const query = { ...this.#filters, afterSeq: this.#position, pageSize: pageSize.max };
      const events = await this.#api.call("audit-events.list", { query });
      await this.#pass(events);
      if (events.length < pageSize.max) return;
    }
  }

  /** One that was told live: it may have been read already. */
  async #take(event: AuditEvent): Promise<void> {
    if (event.seq <= this.#position) return;
    if (letsThrough(this.#filters, event)) await this.#print([event]);
    this.#position = event.seq;
  }

  async #pass(events: AuditEvent[]): Promise<void> {
    if (events.length > 0) await this.#print(events);
    this.#position = events.at(-1)?.seq ?? this.#position;
  }
}

/** The newest `count` that the filters let through, oldest first. */
async function newestEvents(
  api: Client,
  filters: AuditFilters,
  count: number,
): Promise<AuditEvent[]> {
  const events = new Map<number, AuditEvent>();
  for (let page = 1; events.size < count; page++) {
    const query = { ...filters, page, pageSize: Math.min(Math.max(count, 1), pageSize.max) };
    const { data, pagination } = await api.page("audit-events.list", { query });
    // What comes meanwhile pushes rows that were read to the next page.
    for (const event of data) events.set(event.seq, event);
    if (page * query.pageSize >= pagination.total) break;
  }
  return [...events.values()].slice(0, count).reverse();
}

/** The number of the newest event; 0 when there is none. */
async function headOf(api: Client): Promise<number> {
  const [newest] = await api.call("audit-events.list", { query: { pageSize: 1 } });
  return newest?.seq ?? 0;
}

/** How events are written as they come; for machines in one line, or YAML element, for each. */
function writerOf(io: Io, output: OutputOptions): (events: AuditEvent[]) => string {
  if (isForPeople(output)) {
    const table = new GrowingTable(io, output, auditEventView);
    return (events) => table.linesOf(events);
  }
  const textOf = (event: AuditEvent) => {
    if (output.output === "name") return `${auditEventView.nameOf(event)}\n`;
    return output.output === "yaml" ? stringify([event]) : `${JSON.stringify(event)}\n`;
  };
  return (events) => events.map(textOf).join("");
}
