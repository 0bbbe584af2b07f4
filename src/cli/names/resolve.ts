// From what a person types to the id of one thing, whatever its noun.

import type { Noun } from "../../api/contract/noun.ts";
import { nouns } from "../../api/contract/nouns.ts";
import type { Client } from "../../client/client.ts";
import { usageError } from "../exit.ts";
import { isWholeId, resolveId } from "./naming.ts";
import { resolveCommand } from "./resolve-command.ts";

/** Returns the id. Throws a not-found error with the nearest name, or one with the candidates. */
export function resolve(client: Client, noun: Noun, text: string): Promise<string> {
  if (noun.noun === "commands") return resolveCommand(client, text);
  if (noun.noun === "bus-events") return wholeId(noun, text);
  return resolveId(noun, client, text);
}

export const resolveAgent = resolver(nouns.agents);
export const resolveService = resolver(nouns.services);
export const resolveRoute = resolver(nouns["bus-routes"]);
export const resolveUser = resolver(nouns.users);

function resolver(noun: Noun) {
  return (client: Client, text: string): Promise<string> => resolve(client, noun, text);
}

/** There are too many events to look for the beginning of an id. */
async function wholeId({ group, one, prefix }: Noun, text: string): Promise<string> {
  if (isWholeId(prefix, text)) return text;
  throw usageError(`${text}: give the whole id of the ${one}; \`${group} list\` shows it.`);
}
