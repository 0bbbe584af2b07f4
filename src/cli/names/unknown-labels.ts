// Explains why a selector matches nothing: suggests the label that a mistyped one could mean.

import { type NounName, nouns } from "../../api/contract/nouns.ts";
import type { Client } from "../../client/client.ts";
import { parseSelector, quoted } from "../../domain/fleet/selectors.ts";
import { didYouMean, nearest } from "../../lib/nearest.ts";
import { listPage } from "../nouns/rows.ts";
import { allRows } from "../output/listing.ts";

type Labels = Readonly<Record<string, string>>;

/** Returns ` Did you mean site=demo?`, or an empty text if no label is similar. */
export async function similarLabel(
  client: Client,
  list: string,
  selector: string,
): Promise<string> {
  // Commands are selected by the labels of their services.
  const noun = nouns[(list === "commands" ? "services" : list) as NounName];
  const rows = await allRows((page) => listPage(client, noun, page));
  const labels = rows.map((row) => row.labels as Labels);
  const keys = [...new Set(labels.flatMap(Object.keys))];
  const suggestions = parseSelector(selector).flatMap(({ key, operator, values }) => {
    if (operator === "missing" || operator === "notIn") return [];
    if (!keys.includes(key)) return nearest(key, keys)?.replace(/.+/s, quoted) ?? [];
    const known = [...new Set(labels.flatMap((all) => all[key] ?? []))];
    if (values.length === 0 || values.some((value) => known.includes(value))) return [];
    const value = nearest(values[0] ?? "", known);
    return value === null ? [] : `${quoted(key)}=${quoted(value)}`;
  });
  return didYouMean(suggestions[0] ?? null);
}
