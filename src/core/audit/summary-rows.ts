// Decides which repeated events get their own audit rows, and counts the others in memory for
// summary rows. The rules are in domain/audit/summary-rows.ts.

import { credentialOf, type Principal } from "../../domain/access/principals.ts";
import type { AuditEntry } from "../../domain/audit/audit-events.ts";
import { type SummedAction, type SumRule, sumRules } from "../../domain/audit/summary-rows.ts";

export interface RepeatedEntry extends AuditEntry {
  action: SummedAction;
}

/** The events of one actor that have no rows of their own. Times are Unix milliseconds. */
export interface Sum {
  /** The key of the events' group, unique within the action. */
  key: string;
  principal: Principal;
  /** The newest event. */
  entry: RepeatedEntry;
  /** Whether the events have different targets. */
  isMixed: boolean;
  count: number;
  counts: Map<string, number>;
  firstAt: number;
  lastAt: number;
}

interface Noted {
  /** Whether the event gets its own row. */
  inFull: boolean;
  /** Undoes the count. Does not change a summary that has been written already. */
  undo(): void;
}

export interface Occurrence {
  entry: RepeatedEntry;
  principal: Principal;
  /** What the actor repeats, such as a route or service. */
  item: string;
  /** Unix milliseconds. */
  at: number;
}

interface Item {
  inFull: number;
  summed: number;
}

interface Group {
  rule: SumRule;
  principal: Principal;
  began: number;
  inFull: number;
  items: Map<string, Item>;
  sum: Sum | null;
}

/**
 * The maximum number of groups per action, so that one action cannot displace others. Further
 * actors share a group.
 */
const maxGroupsOfAction = 10_000;
/** Above this number of groups for an action, new items share the group of their actor. */
const maxGroupsByItem = 5_000;
/** The maximum number of items per actor, and in total. Further items are counted as `others`. */
const maxItemsOfGroup = 256;
const maxItems = 100_000;
const others = "others";
/** The key of the group of all actors that have no group of their own. */
const shared = "";

export class AuditSums {
  readonly #monotonic: () => number;
  readonly #groups: Readonly<Record<SummedAction, Map<string, Group>>>;
  #items = 0;
  /** The summaries of windows that have ended. */
  #ready: Sum[] = [];

  constructor(monotonic: () => number) {
    this.#monotonic = monotonic;
    const groups = Object.keys(sumRules).map((action) => [action, new Map<string, Group>()]);
    this.#groups = Object.fromEntries(groups);
  }

  note(happening: Occurrence): Noted {
    const [key, group] = this.#groupOf(happening);
    const { rule } = group;
    const item = this.#itemOf(group, happening.item);
    const isNews = (item?.inFull ?? 0) < (rule.inFullEach ?? Number.POSITIVE_INFINITY);
    if (!isNews || group.inFull >= rule.inFull) return this.#sum(key, group, item, happening);
    group.inFull++;
    if (item) item.inFull++;
    const undo = () => {
      group.inFull--;
      if (item) item.inFull--;
    };
    return { inFull: true, undo };
  }

  /** Counts an event that never gets its own row. */
  count(happening: Occurrence): void {
    const [key, group] = this.#groupOf(happening);
    this.#sum(key, group, this.#itemOf(group, happening.item), happening);
  }

  /** Removes and returns the summaries of windows that have ended; with `now`, of all windows. */
  take(now: boolean): Sum[] {
    for (const groups of Object.values(this.#groups)) {
      for (const [key, group] of groups) {
        if (now || this.#windowsOver(group) > 0) this.#close(groups, key, group);
      }
    }
    const ready = this.#ready;
    this.#ready = [];
    return ready;
  }

  /** Adds summaries that could not be written to the next summaries of the same actors. */
  restore(sums: Sum[]): void {
    for (const sum of sums) {
      const { key, entry, principal } = sum;
      const group = this.#group(entry.action, key, principal);
      group.sum = group.sum ? merged(sum, group.sum) : sum;
    }
  }

  #sum(key: string, group: Group, item: Item | null, happening: Occurrence): Noted {
    const { entry, at } = happening;
    const { principal } = group;
    group.sum ??= {
      key,
      principal,
      entry,
      isMixed: false,
      count: 0,
      counts: new Map(),
      firstAt: at,
      lastAt: at,
    };
    const { sum } = group;
    const name = item ? happening.item : others;
    add(sum, name, 1);
    if (item) item.summed++;
    sum.isMixed ||= sum.entry.targetId !== entry.targetId;
    sum.entry = entry;
    sum.lastAt = at;
    const undo = () => {
      add(sum, name, -1);
      if (item) item.summed--;
    };
    return { inFull: false, undo };
  }

  #groupOf({ entry, principal, item }: Occurrence): [key: string, group: Group] {
    const { action } = entry;
    const groups = this.#groups[action];
    const rule: SumRule = sumRules[action];
    const actors = keyOf(principal);
    const isFree = (key: string, most: number) => groups.has(key) || groups.size < most;
    const items = `${actors}\n${item}`;
    const own = rule.apart && isFree(items, maxGroupsByItem) ? items : actors;
    const hasOwn = isFree(own, maxGroupsOfAction);
    const key = hasOwn ? own : shared;
    const group = this.#group(action, key, hasOwn ? principal : { kind: "system" });
    if (this.#windowsOver(group) === 0) return [key, group];
    this.#close(groups, key, group);
    // `#close` deletes the group if it is empty.
    return [key, this.#group(action, key, group.principal)];
  }

  #group(action: SummedAction, key: string, principal: Principal): Group {
    const groups = this.#groups[action];
    const known = groups.get(key);
    if (known) return known;
    const rule: SumRule = sumRules[action];
    const began = this.#monotonic();
    const group: Group = { rule, principal, began, inFull: 0, items: new Map(), sum: null };
    groups.set(key, group);
    return group;
  }

  /** Returns the item with this name; null if the item limits are reached. */
  #itemOf({ items }: Group, name: string): Item | null {
    const known = items.get(name);
    if (known) return known;
    if (items.size >= maxItemsOfGroup || this.#items >= maxItems) return null;
    const item: Item = { inFull: 0, summed: 0 };
    items.set(name, item);
    this.#items++;
    return item;
  }

  #windowsOver({ rule, began }: Group): number {
    return Math.floor((this.#monotonic() - began) / (rule.windowSeconds * 1000));
  }

  /** Starts a new window only if the current one has ended. */
  #close(groups: Map<string, Group>, key: string, group: Group): void {
    if (group.sum && group.sum.count > 0) this.#ready.push(group.sum);
    group.sum = null;
    const windows = this.#windowsOver(group);
    if (windows === 0) return;
    const { rule, items } = group;
    group.began = this.#monotonic();
    group.inFull = Math.max(0, group.inFull - windows * rule.refill);
    for (const [name, item] of items) {
      const continues = windows === 1 && item.summed > 0;
      if (continues) {
        // An item that is still being repeated gets no rows in the new window.
        items.set(name, { inFull: rule.inFullEach ?? 0, summed: 0 });
        continue;
      }
      items.delete(name);
      this.#items--;
    }
    if (group.inFull === 0 && items.size === 0) groups.delete(key);
  }
}

function keyOf(principal: Principal): string {
  if (principal.kind === "local") return `local ${principal.osUser}`;
  return credentialOf(principal) ?? "nobody";
}

function add(sum: Sum, name: string, amount: number): void {
  const count = (sum.counts.get(name) ?? 0) + amount;
  if (count === 0) sum.counts.delete(name);
  else sum.counts.set(name, count);
  sum.count += amount;
}

function merged(older: Sum, newer: Sum): Sum {
  const sum: Sum = { ...newer, counts: new Map(newer.counts), firstAt: older.firstAt };
  for (const [name, count] of older.counts) add(sum, name, count);
  sum.isMixed ||= older.isMixed || older.entry.targetId !== newer.entry.targetId;
  return sum;
}
