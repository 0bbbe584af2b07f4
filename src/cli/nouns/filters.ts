// The filters of a list, from the flags to the query of the API.

import type { Noun, NounFilter } from "../../api/contract/noun.ts";
import { nouns } from "../../api/contract/nouns.ts";
import type { Client } from "../../client/client.ts";
import { resolve } from "../names/resolve.ts";
import { pastMoment } from "../output/moments.ts";
import type { Io } from "../terminal/io.ts";

/**
 * By the names of the query's fields; undefined where a flag is not given. Names of other nouns become ids.
 * Throws a usage error for a time that is none, and a not-found error for a name.
 */
export async function filtersOf(
  io: Io,
  client: Client,
  noun: Noun,
  options: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const given = noun.filters.map((filter) => ({ filter, value: options[filter.flag] }));
  // Times first: what is wrong with them needs no server.
  const times = given.map(({ filter, value }) => ({ filter, value: timeOf(io, filter, value) }));
  const values = await Promise.all(
    times.map(async ({ filter: { name, of }, value }) => [
      name,
      of && typeof value === "string" ? await resolve(client, nounNamed(of), value) : value,
    ]),
  );
  return Object.fromEntries(values);
}

function timeOf(io: Io, { kind, flag }: NounFilter, value: unknown): unknown {
  return kind === "time" && typeof value === "string"
    ? pastMoment(`--${flag}`, value, io.now())
    : value;
}

function nounNamed(name: string): Noun {
  return nouns[name as keyof typeof nouns];
}
