// The filters of a list: from flags to the query of the API.

import type { Noun, NounFilter } from "../../api/contract/noun.ts";
import { type NounName, nouns } from "../../api/contract/nouns.ts";
import type { Client } from "../../client/client.ts";
import { usageError } from "../exit.ts";
import { isWholeId } from "../names/naming.ts";
import { resolve } from "../names/resolve.ts";
import { pastMoment } from "../output/moments.ts";
import type { Io } from "../terminal/io.ts";

/**
 * By the query's fields; undefined without the flag. Resolves names of other nouns to ids. Throws a
 * usage error for an invalid time, and a not-found error for a name.
 */
export async function filtersOf(
  io: Io,
  client: Client,
  noun: Noun,
  options: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const given = noun.filters.map((filter) => ({ filter, value: options[filter.flag] }));
  // Checks without the server come first, so that mistakes are reported at once.
  const checked = given.map(({ filter, value }) => ({
    filter,
    value: checkedValue(io, filter, value),
  }));
  const values = await Promise.all(
    checked.map(async ({ filter: { name, of }, value }) => [
      name,
      of && typeof value === "string" ? await resolve(client, nounNamed(of), value) : value,
    ]),
  );
  return Object.fromEntries(values);
}

function checkedValue(io: Io, { kind, flag, of }: NounFilter, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (kind === "time") return pastMoment(`--${flag}`, value, io.now());
  if (of === "bus-events" && !isWholeId(nouns[of].prefix, value)) {
    throw usageError(`--${flag} ${value}: give the whole id; \`events list\` shows it.`);
  }
  return value;
}

function nounNamed(name: string): Noun {
  return nouns[name as NounName];
}
