// The filters of a list: converts flags to an API query.

import type { Noun, NounFilter } from "../../api/contract/noun.ts";
import { type NounName, nouns } from "../../api/contract/nouns.ts";
import type { Client } from "../../client/client.ts";
import { resolve } from "../names/resolve.ts";
import { pastMoment } from "../output/moments.ts";
import type { Io } from "../terminal/io.ts";

/** Resolves names to ids. Throws usage errors and not-found errors. */
export async function filtersOf(
  io: Io,
  client: Client,
  noun: Noun,
  options: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const given = noun.filters.map((filter) => ({ filter, value: options[filter.flag] }));
  // Checks that need no server come first, so that mistakes are reported immediately.
  const checked = given.map(({ filter, value }) => ({
    filter,
    value: checkedValue(io, filter, value),
  }));
  const values = await Promise.all(
    checked.map(async ({ filter: { name, of }, value }) => [
      name,
      of && typeof value === "string" ? await resolve(client, nouns[of as NounName], value) : value,
    ]),
  );
  return Object.fromEntries(values);
}

function checkedValue(io: Io, { kind, flag }: NounFilter, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (kind === "time") return pastMoment(`--${flag}`, value, io.now());
  return value;
}
