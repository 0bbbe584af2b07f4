// A model that derives the expected outcome of each event from docs/decisions/0012-event-bus.md,
// independently of the tested code.

import { expect } from "vitest";
import type { RouteState } from "../../../src/domain/bus/bus-routes.ts";
import type { Json } from "../../../src/domain/payload/json.ts";
import { openTestApp, type TestApp, temporaryFolder } from "../../helpers/app.ts";

export const sources = ["shop", "stock"];
/** The publishers' names for their events. */
export const names = ["1", "2", "3", "4", "5", "6"];

export interface Rule {
  type: string;
  source: string | undefined;
  data: { [pointer: string]: Json } | undefined;
  state: RouteState;
  /**
   * `rotate` accepts anything, `strict` requires a text `file`, `drop` requires confirmation, and
   * `vanish` does not exist.
   */
  action: string;
  payload: { file?: string | { const: Json } } | undefined;
}

export interface Event {
  source: string;
  type: string;
  data: { [key: string]: Json } | undefined;
  /** An event, named by its name or its stored id; a command; or a retry of a command. */
  cause: { by: "name" | "id" | "command" | "retry"; at: number } | null;
  /** How many copies of the event are sent at the same time. */
  times: number;
}

const strict = { properties: { file: { type: "string" } }, additionalProperties: false };
const actions = [
  { name: "rotate" },
  { name: "strict", inputSchema: strict },
  { name: "drop", requiresConfirmation: true },
];

interface Expected {
  name: string;
  source: string;
  depth: number;
  /** The outcome at each matching route, in the order of the routes. */
  outcomes: [routeId: string, outcome: string][];
}

export async function openWorld() {
  const env = {
    DATA_DIR: temporaryFolder(),
    CAPSULE_BUS_ENABLED: "true",
    CAPSULE_BUS_INGEST_PER_MIN: "100000",
  };
  let app: TestApp = openTestApp(env);
  const { clock } = app;
  const service = (code: string) => ({ code, name: code, version: "1" });
  const publisher = await app.registerAgent("edge-1", sources.map(service));
  const worker = await app.registerAgent("edge-2", [{ ...service("worker"), actions }]);
  const operator = () => app.as("operator");

  let workerIsOn = true;
  const routes = new Map<string, { rule: Rule; version: number }>();
  const events = new Map<string, Expected>();

  const routeAt = (at: number) => [...routes][at % Math.max(1, routes.size)];

  async function commandIds(kind: string): Promise<string[]> {
    const rows = await app.database.read.all<{ id: string }>(
      "SELECT id FROM commands WHERE source_kind = ? ORDER BY id",
      kind,
    );
    return rows.map(({ id }) => id);
  }

  async function causeOf({ cause }: Event, sentNow: string[]) {
    if (!cause) return null;
    const pick = <T>(items: readonly T[]) => items[cause.at % Math.max(1, items.length)];
    if (cause.by === "name") {
      const name = pick(names) ?? "";
      // Events that are sent at the same time have no order.
      if (sentNow.includes(name)) return null;
      const named = [...events.values()].filter((event) => event.name === name);
      return { id: name, depth: named.length > 0 ? 1 + Math.max(...named.map((e) => e.depth)) : 0 };
    }
    if (cause.by === "id") {
      const known = pick([...events]);
      return known ? { id: known[0], depth: known[1].depth + 1 } : null;
    }
    if (cause.by === "retry") {
      const id = await retryOf(pick(await commandIds("bus")));
      return id === null ? null : { id, depth: 0 };
    }
    const id = pick(await commandIds("bus"));
    if (id === undefined) return null;
    const { source } = await operator().call("commands.get", { params: { commandId: id } });
    return { id, depth: (events.get(source?.eventId ?? "")?.depth ?? 0) + 1 };
  }

  /** Cancels and retries a command as an operator. Returns null if there is none to retry. */
  async function retryOf(commandId: string | undefined): Promise<string | null> {
    if (commandId === undefined || !workerIsOn) return null;
    const params = { commandId };
    await operator()
      .call("commands.cancel", { params })
      .catch(() => undefined);
    return (await operator().call("commands.retry", { params })).command!.id;
  }

  function outcomesOf(event: Event): Expected["outcomes"] {
    return [...routes]
      .filter(([, { rule }]) => rule.state !== "DISABLED" && isMatch(rule, event))
      .map(([id, { rule }]) => {
        const works = workerIsOn && canRun(rule, event);
        return [id, works ? (rule.state === "ENABLED" ? "COMMAND_CREATED" : "DRY_RUN") : "FAILED"];
      });
  }

  async function send(name: string, event: Event, cause: { id: string; depth: number } | null) {
    const { source, type, data, times } = event;
    const known = [...events.values()].some((e) => e.name === name && e.source === source);
    const depth = cause?.depth ?? 0;
    const body = {
      ...{ source, type, id: name },
      ...(data ? { data } : {}),
      ...(cause ? { causationid: cause.id } : {}),
    };
    const params = { agentId: publisher.agentId };
    const client = app.asPrincipal(publisher.principal);
    const sending = Array.from({ length: times }, () =>
      client.call("agent.publish", { params, body }).catch((error) => error.code as string),
    );
    const answers = await Promise.all(sending);
    if (!known && depth > 1) {
      expect(new Set(answers)).toEqual(new Set(["BUS_DEPTH_EXCEEDED"]));
      return;
    }
    const taken = answers.filter((answer) => typeof answer !== "string");
    expect(taken).toHaveLength(times);
    expect(taken.filter(({ duplicate }) => !duplicate)).toHaveLength(known ? 0 : 1);
    const { id = "" } = taken[0] ?? {};
    expect(taken.every((answer) => answer.id === id)).toBe(true);
    if (known) return;
    expect(taken[0]?.depth).toBe(depth);
    events.set(id, { name, source, depth, outcomes: outcomesOf(event) });
  }

  return {
    async publish(batch: Record<string, Event>) {
      const sent = Object.entries(batch);
      const causes: Awaited<ReturnType<typeof causeOf>>[] = [];
      for (const [, event] of sent) causes.push(await causeOf(event, Object.keys(batch)));
      await Promise.all(sent.map(([name, event], at) => send(name, event, causes[at] ?? null)));
    },
    async add(rule: Rule) {
      const { id } = await operator().call("bus-routes.create", { body: bodyOf(rule) });
      routes.set(id, { rule, version: 1 });
    },
    async edit(at: number, rule: Rule) {
      const [routeId, { version }] = routeAt(at) ?? ["", { version: 0 }];
      if (routeId === "") return;
      const body = { ...bodyOf(rule), version };
      const saved = await operator().call("bus-routes.update", { params: { routeId }, body });
      routes.set(routeId, { rule, version: saved.version });
    },
    async remove(at: number) {
      const [routeId] = routeAt(at) ?? [];
      if (routeId === undefined) return;
      await operator().call("bus-routes.delete", { params: { routeId } });
      routes.delete(routeId);
    },
    /** Runs `act` while the target's agent is disabled. */
    async withoutWorker(act: () => Promise<void>) {
      const params = { agentId: worker.agentId };
      await operator().call("agents.disable", { params });
      workerIsOn = false;
      await act();
      await operator().call("agents.enable", { params });
      workerIsOn = true;
    },
    /** Opens the same files as a new process would. */
    async restart() {
      await app.app.close();
      await app.database.close();
      // The new process creates greater ids only after a millisecond has passed.
      clock.advance(1);
      app = openTestApp(env, {}, clock);
    },
    async check() {
      const all = (sql: string) => app.database.read.all<Record<string, unknown>>(sql);
      const stored = await all("SELECT id, event_id AS name, source, depth FROM bus_events");
      expect(new Map(stored.map(({ id, ...event }) => [id, event]))).toEqual(
        new Map([...events].map(([id, { outcomes: _, ...event }]) => [id, event])),
      );
      const matches = await all("SELECT * FROM bus_matches ORDER BY event_id, route_id");
      const expected = [...events]
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .flatMap(([id, { outcomes }]) => outcomes.map(([route, outcome]) => [id, route, outcome]));
      expect(matches.map((m) => [m.event_id, m.route_id, m.outcome])).toEqual(expected);
      // Each command refers to its match, and each match to its command.
      const made = matches.filter(({ outcome }) => outcome === "COMMAND_CREATED");
      const ofBus = "FROM commands WHERE source_kind = 'bus'";
      const commands = await all(`SELECT id, source_id, source_route_id ${ofBus}`);
      const pairs = (rows: unknown[][]) => rows.map((row) => row.join()).sort();
      expect(pairs(commands.map((c) => [c.id, c.source_id, c.source_route_id]))).toEqual(
        pairs(made.map((m) => [m.command_id, m.event_id, m.route_id])),
      );
      for (const { outcome, command_id, reason } of matches) {
        expect(command_id !== null).toBe(outcome === "COMMAND_CREATED");
        expect(reason !== null).toBe(outcome === "FAILED");
      }
      expect((await operator().call("audit-events.verify")).ok).toBe(true);
    },
  };
}

function bodyOf({ type, source, data, state, action, payload }: Rule) {
  return {
    name: "any",
    state,
    match: { type, ...(source ? { source } : {}), ...(data ? { data } : {}) },
    target: { serviceCode: "worker", action },
    ...(payload ? { payload } : {}),
  };
}

function isMatch(rule: Rule, event: Event): boolean {
  const wanted = rule.type.split(".");
  const parts = event.type.split(".");
  const ofType =
    wanted.at(-1) === "*"
      ? parts.length >= wanted.length && wanted.slice(0, -1).every((part, at) => part === parts[at])
      : rule.type === event.type;
  const ofSource = rule.source === undefined || rule.source === event.source;
  const { data } = event;
  const ofData = !rule.data || ("/file" in rule.data ? data?.file === "a.log" : data?.sizes);
  return ofType && ofSource && Boolean(ofData);
}

function canRun({ action, payload }: Rule, { data }: Event): boolean {
  if (action === "drop" || action === "vanish") return false;
  const isMapped = payload !== undefined && typeof payload.file === "string";
  if (isMapped && data === undefined) return false;
  if (action === "rotate") return true;
  return payload !== undefined && (!isMapped || typeof data?.file === "string");
}
