// Resolves what users type to name things: an id, a part of an id, a code or a name. The server
// accepts ids and codes. Only other texts are searched for here.

import type { Noun } from "../../api/contract/noun.ts";
import { type NounName, nouns } from "../../api/contract/nouns.ts";
import type { Reply, RouteName } from "../../api/index.ts";
import type { Client } from "../../client/client.ts";
import { tokenKindOf } from "../../domain/access/credentials.ts";
import { AppError } from "../../domain/errors.ts";
import { factsOf, routeFacts } from "../../domain/route-facts.ts";
import { usageError } from "../exit.ts";
import { lookAt } from "../nouns/rows.ts";
import { notFoundCode } from "../nouns/words.ts";

const ulidLength = 26;
/** Matches text that stays the same in a path, even if a proxy decodes the path. */
const isPlain = /^[\p{L}\p{N}][\p{L}\p{N}._:@+-]*$/u;

/**
 * Calls with the given text. If the server does not know the text, calls again with the id that it
 * means. Throws an error that lists the candidates, or `suggests` the nearest name.
 */
export async function callNamed<T>(
  client: Client,
  noun: Noun,
  text: string,
  call: (idOrCode: string) => Promise<T>,
  suggests = true,
): Promise<T> {
  refuseSecret(noun, text);
  const search = () => searchFor(client, noun, text, suggests);
  if (!isKnownToServers(noun, text)) return call(await search());
  try {
    return await call(text);
  } catch (error) {
    const isUnknown = error instanceof AppError && error.code === notFoundCode(noun.one);
    if (!isUnknown || isWholeId(noun.prefix, text)) throw error;
    return call(await search());
  }
}

/** Reads a thing. Throws as `callNamed` does. */
export function getNamed<const N extends NounName>(client: Client, name: N, text: string) {
  const get = (id: string) => lookAt(client, nouns[name], id);
  const found = callNamed(client, nouns[name], text, get);
  return found as unknown as Promise<Reply<`${N}.get` & RouteName>>;
}

/** Returns the id that the text means. Throws as `callNamed` does. */
export async function resolve(client: Client, noun: Noun, text: string): Promise<string> {
  if (isWholeId(noun.prefix, text)) return text;
  refuseSecret(noun, text);
  if (!isKnownToServers(noun, text)) return searchFor(client, noun, text);
  const { id } = await callNamed(client, noun, text, (code) => lookAt(client, noun, code));
  return id;
}

/** Keeps a secret out of URLs and messages, for example if a script takes it for an id. */
export function refuseSecret({ one }: Noun, text: string): void {
  // Codes can begin like a token, but are usually shorter.
  if (tokenKindOf(text) === null || text.length < 30) return;
  throw usageError(`give the id or name of the ${one}, and not a token or key.`);
}

export function isWholeId(prefix: string, text: string): boolean {
  return text.startsWith(`${prefix}_`) && text.length === prefix.length + 1 + ulidLength;
}

function isKnownToServers(noun: Noun, text: string): boolean {
  if (isWholeId(noun.prefix, text)) return true;
  return noun.code !== undefined && isPlain.test(text) && !isRoute(noun, text);
}

/** Whether the path of the thing with this code is another route, such as `agents/export`. */
function isRoute({ noun, param }: Noun, code: string): boolean {
  const path = factsOf(`${noun}.get`).path.replace(`:${param}`, () => code);
  return Object.values(routeFacts).some((route) => route.path === path);
}

async function searchFor(
  client: Client,
  noun: Noun,
  text: string,
  suggests?: boolean,
): Promise<string> {
  const search = await import("./search.ts");
  return search.searchFor(client, noun, text, suggests);
}
