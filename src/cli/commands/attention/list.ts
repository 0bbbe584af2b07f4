import { causeTexts } from "../../../api/contract/cells.ts";
import type { Reply } from "../../../api/index.ts";
import type { Client } from "../../../client/client.ts";
import { stopOneOf } from "../../../domain/fleet/agent-instances.ts";
import type { Invocation } from "../../command.ts";
import { exit } from "../../exit.ts";
import { firstNames } from "../../output/first-names.ts";
import { printWhole } from "../../output/listing.ts";
import { type Column, isForPeople, type ListView } from "../../output/output.ts";
import { relativeTime } from "../../output/relative-time.ts";

type Attention = Reply<"attention.get">;
type Group = Attention["open"]["groups"][number];

const problem: Column<Group>[] = [
  { name: "problem", value: ({ problem }) => problem, kind: "state" },
  { name: "reason", value: reasonOf, kind: "prose" },
];

const extent: Column<Group>[] = [
  { name: "services", value: ({ services }) => services, minor: true },
  { name: "agents", value: ({ agents }) => agents, minor: true },
  { name: "since", value: ({ since }) => since.earliest, kind: "time" },
  { name: "first", value: firstOf, kind: "prose" },
  { name: "group", value: ({ id }) => id, kind: "key", short: (id) => id.slice(0, 8) },
];

const noted: Column<Group>[] = [
  { name: "handled", value: ({ note }) => note?.kind, kind: "state" },
  { name: "by", value: ({ note }) => note?.by },
  { name: "note", value: ({ note }) => note?.note, kind: "prose" },
  { name: "until", value: ({ note }) => note?.until, kind: "time" },
];

/**
 * With `--handled`, the columns of the note come earlier, so that narrow terminals show them, too.
 */
const viewOf = (showsHandled: boolean): ListView<Group> => ({
  columns: showsHandled
    ? [...problem, ...noted, ...extent]
    : [...problem, ...extent, ...noted.map((column) => ({ ...column, wide: true as const }))],
  nameOf: ({ id }) => id,
  whenEmpty: "No service needs attention.",
});

function reasonOf({ cause, message, healthStatus }: Group): string {
  if (message !== null) return message;
  return cause === "HEALTH" && healthStatus !== null
    ? `${healthStatus}, ${causeTexts.HEALTH}`
    : (causeTexts[cause] ?? cause);
}

function firstOf({ first, services }: Group): string {
  return firstNames(
    first.map(({ code }) => code),
    2,
    services,
  );
}

/**
 * JSON has the groups in the API's order: first the open ones, which nobody has acknowledged or
 * silenced. With `--exit-code`, returns 1 if there are open groups.
 */
export async function listAttention(invocation: Invocation): Promise<number> {
  const { options } = invocation;
  const api = await invocation.client();
  const reply = await api.call("attention.get");
  const { open, handled } = reply;
  printWhole(
    invocation,
    [...open.groups, ...(options.handled ? handled.groups : [])],
    viewOf(options.handled === true),
  );
  if (isForPeople(options)) {
    noteTheRest(invocation, reply);
    await noteTheServer(invocation, api);
  }
  return options.exitCode && open.total > 0 ? exit.failed : exit.done;
}

function noteTheRest({ io, options }: Invocation, { open, handled, truncated }: Attention): void {
  const left = open.total - open.groups.length;
  if (left > 0) io.note(`\nGroups that are not shown: ${left}.\n`);
  if (truncated) io.note("\nThere are too many services: the counts are incomplete.\n");
  if (handled.services > 0 && !options.handled) {
    io.note(`\n${handled.services} more: acknowledged or silenced. Show them with --handled.\n`);
  }
}

/** Says what else needs attention: the server itself, and tokens that two programs use. */
async function noteTheServer({ io }: Invocation, api: Client): Promise<void> {
  const { status, database } = await api.call("system.health");
  if (status !== "UP") {
    const why = database.message ?? database.warning;
    io.note(`\nThe server is ${status}${why ? `: ${why}` : "."}\n`);
  }
  const { duplicatedAgents = [] } = await api.call("overview.get");
  for (const { agentCode, at } of duplicatedAgents) {
    const when = relativeTime(at, io.now());
    io.note(`\nTwo programs use the token of the agent ${agentCode}, last ${when}.\n`);
    io.note(`${stopOneOf(agentCode)}\n`);
  }
}
