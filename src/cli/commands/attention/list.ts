import type { Reply } from "../../../api/index.ts";
import type { Cause } from "../../../domain/attention.ts";
import type { Invocation } from "../../command.ts";
import { exit } from "../../exit.ts";
import { printWhole } from "../../output/listing.ts";
import { isForPeople, type ListView } from "../../output/output.ts";

type Attention = Reply<"attention.get">;
type Group = Attention["open"]["groups"][number];

const causes: Record<Cause, string> = {
  HEALTH: "without a message",
  CHANGES: "the health keeps changing",
  NOT_REPORTED: "the agent calls, but has stopped reporting the service",
  AGENT_SILENT: "the agent does not call",
  AGENT_STOPPED: "the agent was stopped",
  AGENT_WITHOUT_TOKEN: "the agent has no valid token",
  AGENT_DISABLED: "the agent is disabled",
};

/** With `isMixed`, the rows say which groups are handled. */
const viewOf = (isMixed: boolean): ListView<Group> => ({
  columns: [
    { name: "problem", value: ({ problem }) => problem, kind: "state" },
    { name: "reason", value: reasonOf, kind: "prose" },
    { name: "services", value: ({ services }) => services },
    { name: "agents", value: ({ agents }) => agents },
    { name: "since", value: ({ since }) => since.earliest, kind: "time" },
    { name: "first", value: firstOf },
    { name: "group", value: ({ id }) => id, kind: "key", short: (id) => id.slice(0, 8) },
    {
      name: "handled",
      value: ({ note }) => note?.kind,
      kind: "state",
      ...(isMixed ? {} : { wide: true }),
    },
    { name: "by", value: ({ note }) => note?.by, wide: true },
    { name: "note", value: ({ note }) => note?.note, wide: true },
    { name: "until", value: ({ note }) => note?.until, kind: "time", wide: true },
  ],
  nameOf: ({ id }) => id,
  whenEmpty: "All is well: no service needs attention.",
});

function reasonOf({ cause, message, healthStatus }: Group): string {
  if (message !== null) return message;
  return cause === "HEALTH" && healthStatus !== null
    ? `${healthStatus}, ${causes.HEALTH}`
    : causes[cause];
}

const namesShown = 2;

function firstOf({ first, services }: Group): string {
  const names = first.slice(0, namesShown).map(({ code }) => code);
  const rest = services - names.length;
  return rest > 0 ? `${names.join(", ")} and ${rest} more` : names.join(", ");
}

/**
 * JSON has the groups as in the API: first those that nobody has acknowledged or silenced. With
 * `--exit-code`, returns 1 if there are any of those.
 */
export async function listAttention(invocation: Invocation): Promise<number> {
  const { options } = invocation;
  const api = await invocation.client();
  const reply = await api.call("attention.get");
  const { open, handled } = reply;
  const isMixed = options.handled === true;
  const groups = isMixed ? [...open.groups, ...handled.groups] : open.groups;
  printWhole(invocation, groups, viewOf(isMixed));
  if (isForPeople(options)) noteTheRest(invocation, reply);
  return options.exitCode && open.total > 0 ? exit.failed : exit.done;
}

function noteTheRest({ io, options }: Invocation, { open, handled, truncated }: Attention): void {
  const left = open.total - open.groups.length;
  if (left > 0) io.note(`\nThere are ${left} more groups.\n`);
  if (truncated) io.note("\nThere are too many services: the counts are incomplete.\n");
  if (handled.services > 0 && !options.handled) {
    io.note(`\n${handled.services} more: acknowledged or silenced. Show them with --handled.\n`);
  }
}
