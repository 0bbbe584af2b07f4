// Finds the id of the one thing that a user means, for any noun.

import type { Noun } from "../../api/contract/noun.ts";
import { nouns } from "../../api/contract/nouns.ts";
import type { Client } from "../../client/client.ts";
import { resolveId } from "./naming.ts";
import { resolveCommand } from "./resolve-command.ts";

export function resolve(client: Client, noun: Noun, text: string): Promise<string> {
  if (noun.noun === "commands") return resolveCommand(client, text);
  // There are too many events to search for the beginning of an id.
  if (noun.noun === "bus-events") return Promise.resolve(text);
  return resolveId(noun, client, text);
}

const resolver = (noun: Noun) => (client: Client, text: string) => resolve(client, noun, text);

export const resolveAgent = resolver(nouns.agents);
export const resolveService = resolver(nouns.services);
export const resolveRoute = resolver(nouns["bus-routes"]);
export const resolveRollout = resolver(nouns.rollouts);
export const resolveUser = resolver(nouns.users);
