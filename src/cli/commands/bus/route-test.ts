import { nouns } from "../../../api/contract/nouns.ts";
import type { Body, Reply } from "../../../api/index.ts";
import type { Invocation } from "../../command.ts";
import { exit, usageError } from "../../exit.ts";
import { resolve } from "../../names/resolve.ts";
import {
  isForPeople,
  type OutputOptions,
  printOne,
  section,
  type View,
} from "../../output/output.ts";
import { readEvent } from "../../rules/rule-file.ts";
import type { Io } from "../../terminal/io.ts";
import { namedRoute, noteDisabled, openTestedRoute, type TestedRoute } from "./tested-route.ts";

type Tested = Reply<"bus-routes.test">;
type TestBody = Body<"bus-routes.test">;
type Clause = Tested["clauses"][number];

const view: View<Tested> = {
  columns: [
    { name: "matched", value: (test) => (test.matched ? "yes" : "no") },
    { name: "outcome", value: (test) => test.outcome, kind: "state" },
    { name: "reason", value: (test) => test.reason },
    { name: "service", value: (test) => test.command?.serviceCode },
    { name: "action", value: (test) => test.command?.action },
    { name: "agent", value: (test) => test.command?.agentId, wide: true },
  ],
  nameOf: (test) => test.outcome ?? "NOT_MATCHED",
};

/** Exits with 1 if the event does not match or the route would fail. */
export async function testRoute(invocation: Invocation): Promise<number> {
  const { io, options, signal, client } = invocation;
  if (["since", "until", "matched"].some((name) => options[name] !== undefined)) {
    return (await import("./route-replay.ts")).replayRoute(invocation);
  }
  const named = namedRoute(invocation);
  const body = await eventOf(invocation);
  const api = await client();
  const opened = await openTestedRoute(io, api, named, signal);
  const { route } = opened;
  const { eventId } = body;
  if (eventId) body.eventId = await resolve(api, nouns["bus-events"], eventId);
  const tested = await opened.call(() =>
    "saved" in route
      ? api.call("bus-routes.test", { params: { routeId: route.saved.id }, body })
      : api.call("bus-routes.test-draft", { body: { ...body, route: route.rule } }),
  );
  printTest(io, options, tested, opened);
  return tested.outcome === null || tested.outcome === "FAILED" ? exit.failed : exit.done;
}

async function eventOf({ io, options, signal }: Invocation): Promise<TestBody> {
  const { event: path, eventId } = options as { event?: string; eventId?: string };
  if ((path === undefined) === (eventId === undefined)) {
    throw usageError(
      "give an event with --event FILE (or -) or --event-id ID, or a period with --since 24h.",
    );
  }
  if (path === undefined) return { eventId };
  const event = await readEvent(io, "--event", path, signal);
  return { event: event as unknown as TestBody["event"] };
}

function printTest(io: Io, options: OutputOptions, tested: Tested, route: TestedRoute): void {
  printOne(io, options, tested, view, () => [
    section("conditions", tested.clauses.map(clauseLine).join("\n")),
    tested.command ? section("payload", tested.command.payload) : "",
  ]);
  if (tested.outcome && isForPeople(options)) noteDisabled(io, route);
}

function clauseLine(clause: Clause): string {
  const { matched, pointer, expected } = clause;
  const what = pointer === undefined ? clause.clause : `${clause.clause} ${pointer || '""'}`;
  const wanted = JSON.stringify(expected);
  const isThere = clause.actual !== undefined;
  const there = isThere
    ? `the event has ${JSON.stringify(clause.actual)}`
    : "the event has no value";
  if (matched && isThere && JSON.stringify(clause.actual) === wanted) return `✓ ${what} ${wanted}`;
  return `${matched ? "✓" : "✗"} ${what} ${wanted}: ${there}`;
}
