// Resolves the actor or the target in an audit filter: an id, or a name.

import type { Noun } from "../../api/contract/noun.ts";
import { nouns } from "../../api/contract/nouns.ts";
import type { Client } from "../../client/client.ts";
import { type KeyRole, mayActAs } from "../../domain/access/principals.ts";
import { AppError } from "../../domain/errors.ts";
import { didYouMean, nearest } from "../../lib/nearest.ts";
import { CliError, exit } from "../exit.ts";
import { matchesOf, namesOf, searchFor } from "./search.ts";

const actors: Noun[][] = [[nouns.agents, nouns.users], [nouns["api-keys"]]];
/** Agents come before registration tokens, which often have the name of their agent. */
const targets: Noun[][] = [
  Object.values<Noun>(nouns).filter(({ code }) => code !== undefined),
  Object.values<Noun>(nouns).filter(({ code, name }) => code === undefined && name !== undefined),
];

/** These targets have only ids. */
const unnamed = Object.values<Noun>(nouns).filter(({ code, name }) => (code ?? name) === undefined);

/** Complete ids are not looked up, because the trail also has ids of deleted things. */
const wholeId = /^[a-z]{3}_[0-9A-Z]{26}$/;

export function resolveActor(client: Client, text: string, type?: string): Promise<string> {
  return resolveAmong(client, text, actors, type?.toLowerCase(), "--actor-type");
}

export async function resolveTarget(client: Client, text: string, type?: string): Promise<string> {
  const noun = unnamed.find(({ prefix }) => text.startsWith(`${prefix}_`));
  if (noun && !wholeId.test(text)) return searchFor(client, noun, text);
  return resolveAmong(client, text, targets, type, "--target-type");
}

async function resolveAmong(
  client: Client,
  text: string,
  all: readonly Noun[][],
  type: string | undefined,
  flag: string,
): Promise<string> {
  const tiers = all.map((some) => some.filter((one) => type === undefined || typeOf(one) === type));
  const kinds = tiers.flat();
  // Users can refer to things without names, such as sessions, only by id.
  if (wholeId.test(text) || kinds.length === 0) return text;
  const isForAll = kinds.every((noun) => isListedFor("viewer", noun));
  const role = isForAll ? "viewer" : (await client.call("auth.me")).user.role;
  // For other roles, the server would deny the call and audit the denial.
  const isSeen = (noun: Noun) => isListedFor(role, noun);
  for (const tier of tiers.map((some) => some.filter(isSeen))) {
    const found = await Promise.all(
      tier.map(async (noun) => {
        const rows = await orNone(() => matchesOf(noun, client, text));
        return rows.map(({ id }) => ({ id, word: noun.one }));
      }),
    );
    const [party, ...others] = found.flat();
    if (party && others.length > 0) {
      const list = found.flat().map(({ word, id }) => `\n  ${id}  ${word}`);
      const message = `${text} is ambiguous; give the id, or add ${flag}:${list.join("")}`;
      throw new CliError(exit.conflict, message, { code: "AMBIGUOUS" });
    }
    if (party) return party.id;
  }
  const names = kinds.filter(isSeen).map((noun) => orNone(() => namesOf(noun, client)));
  const hint = didYouMean(nearest(text, (await Promise.all(names)).flat()));
  const words = kinds.map(({ one }) => one);
  const word = [words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(" or ");
  const hidden = " that this credential can see; give the id instead";
  const message = `there is no ${word} ${text}${kinds.every(isSeen) ? "" : hidden}.${hint}`;
  throw new CliError(exit.notFound, message, { code: "NOT_FOUND" });
}

/** Returns the trail's name for the type: `api_key`. */
function typeOf(noun: Noun): string {
  return noun.one.toLowerCase().replaceAll(" ", "_");
}

function isListedFor(role: KeyRole, { access }: Noun): boolean {
  const { list } = access;
  return list !== undefined && role !== "metrics" && mayActAs(role, list);
}

/** Returns no matches for routes while the event bus is disabled. */
async function orNone<T>(look: () => Promise<T[]>): Promise<T[]> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof AppError && error.code === "CAPSULE_BUS_DISABLED") return [];
    throw error;
  }
}
