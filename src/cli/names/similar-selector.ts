// Explains why a selector matches nothing: it may contain a mistyped label.

import type { Noun } from "../../api/contract/noun.ts";
import { nouns } from "../../api/contract/nouns.ts";
import type { Client } from "../../client/client.ts";
import {
  formatSelector,
  isNegative,
  parseSelector,
  type Requirement,
} from "../../domain/fleet/selectors.ts";
import { nearest } from "../../lib/nearest.ts";
import { listPage } from "../nouns/rows.ts";
import { allRows } from "../output/listing.ts";

/**
 * Replaces labels that nothing in the list has with similar ones that exist. Returns a suggestion
 * such as `site=demo`, or null if nothing was replaced.
 */
export async function suggestSelector(
  client: Client,
  noun: Noun,
  text: string,
): Promise<string | null> {
  // Commands are selected by the labels of their services.
  const labelled = noun.noun === "commands" ? nouns.services : noun;
  const rows = await allRows((page) => listPage(client, labelled, page));
  const labels = rows.map((row) => row.labels as Record<string, string>);
  const keys = [...new Set(labels.flatMap(Object.keys))];
  const similar = (word: string, words: string[]) =>
    words.includes(word) ? word : (nearest(word, words) ?? word);
  const meant = (requirement: Requirement): Requirement => {
    if (isNegative(requirement.operator)) return requirement;
    const key = similar(requirement.key, keys);
    const known = [...new Set(labels.flatMap((all) => all[key] ?? []))];
    return { ...requirement, key, values: requirement.values.map((one) => similar(one, known)) };
  };
  const selector = parseSelector(text);
  const suggested = formatSelector(selector.map(meant));
  return suggested === formatSelector(selector) ? null : suggested;
}
