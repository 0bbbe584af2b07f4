// Acknowledges, silences or clears the problems of named services, or of a whole group.

import { nouns } from "../../../api/contract/nouns.ts";
import type { Client } from "../../../client/client.ts";
import { parseDurationSeconds } from "../../../lib/duration.ts";
import type { Invocation } from "../../command.ts";
import { usageError } from "../../exit.ts";
import { resolve } from "../../names/resolve.ts";
import { ambiguous } from "../../names/search.ts";
import { printAnswer } from "../../nouns/view.ts";

export async function acknowledge(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const api = await invocation.client();
  const body = { ...(await chosen(api, invocation)), ...noteOf(invocation) };
  const done = await api.call("attention.acknowledge", { body });
  printAnswer(io, options, done);
}

export async function silence(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const api = await invocation.client();
  const seconds = parseDurationSeconds(options.for as string) as number;
  const body = { ...(await chosen(api, invocation)), ...noteOf(invocation), seconds };
  const done = await api.call("attention.silence", { body });
  printAnswer(io, options, done);
}

export async function clear(invocation: Invocation): Promise<void> {
  const { io, options } = invocation;
  const api = await invocation.client();
  const done = await api.call("attention.clear", { body: await chosen(api, invocation) });
  printAnswer(io, options, done);
}

async function chosen(api: Client, { args, options }: Invocation) {
  const groupId = options.group as string | undefined;
  if ((groupId === undefined) === (args.length === 0)) {
    throw usageError("name at least one service, or give --group, but not both.");
  }
  if (groupId === "") throw usageError("--group needs the id of a group.");
  if (groupId !== undefined) return { groupId: await wholeGroupId(api, groupId) };
  const serviceIds: string[] = [];
  for (const name of args) serviceIds.push(await resolve(api, nouns.services, name));
  return { serviceIds };
}

/** Accepts the beginning of an id. The server refuses any text that is not an id. */
async function wholeGroupId(api: Client, text: string): Promise<string> {
  const { open, handled } = await api.call("attention.get");
  const groups = [...open.groups, ...handled.groups].filter(({ id }) => id.startsWith(text));
  if (groups.length > 1) throw ambiguous({ one: "group", about: "problem" }, text, groups);
  return groups[0]?.id ?? text;
}

function noteOf({ options }: Invocation) {
  return options.note === undefined ? {} : { note: options.note as string };
}
