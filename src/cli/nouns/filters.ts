// The filters of a list: converts flags to an API query.

import type { Noun } from "../../api/contract/noun.ts";
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
  // Checks that need no server come first, so that mistakes are reported immediately.
  const checked = noun.filters.map(({ name, flag, kind, of }) => {
    const given = options[flag];
    const isTime = kind === "time" && typeof given === "string";
    return { name, of, value: isTime ? pastMoment(`--${flag}`, given, io.now()) : given };
  });
  const values = await Promise.all(
    checked.map(async ({ name, of, value }) => [
      name,
      of && typeof value === "string" ? await resolve(client, nouns[of as NounName], value) : value,
    ]),
  );
  return Object.fromEntries(values);
}
