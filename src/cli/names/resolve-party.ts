// Who did something, or what it was done to, as the audit trail's filters name it: an id, or what an agent,
// a service, a user, a key, a token or a route is called.

import type { Noun } from "../../api/contract/noun.ts";
import { nouns } from "../../api/contract/nouns.ts";
import type { Client } from "../../client/client.ts";
import { AppError } from "../../domain/errors.ts";
import { didYouMean, nearest } from "../../lib/nearest.ts";
import { CliError, exit } from "../exit.ts";
import { matchesOf, namesOf } from "./naming.ts";
import { resolveCommand } from "./resolve-command.ts";

/** What can be a party, as the trail calls its type. */
interface Kind {
  type: string;
  word: string;
  /** Others are not to ask: the trail would have that they were refused. */
  ownersOnly: boolean;
  find: (client: Client, text: string) => Promise<string[]>;
  names: (client: Client) => Promise<string[]>;
}

/**
 * Those whose codes no two of them share come first: a registration token is often called as the agent that
 * it is for, and the agent is meant.
 */
const actors: readonly Kind[][] = [
  [kind("AGENT", nouns.agents), kind("USER", nouns.users)],
  [kind("API_KEY", nouns["api-keys"])],
];
const targets: readonly Kind[][] = [
  targetsAmong(({ code }) => code !== undefined),
  targetsAmong(({ code, name }) => code === undefined && name !== undefined),
];

/** Taken as it is: the trail also remembers what is deleted, and has no name any more. */
const wholeId = /^[a-z]{3}_[0-9A-Z]{26}$/;

/** Returns the id. Throws a not-found error with the nearest name, or one with the candidates. */
export function resolveActor(client: Client, text: string, type?: string): Promise<string> {
  return resolveAmong(client, text, kindsOf(actors, type), "--actor-type");
}

/** The same for what it was done to; a command also by the beginning of its id. */
export async function resolveTarget(client: Client, text: string, type?: string): Promise<string> {
  if (text.startsWith("cmd_") && !wholeId.test(text)) return resolveCommand(client, text);
  return resolveAmong(client, text, kindsOf(targets, type), "--target-type");
}

function kindsOf(tiers: readonly Kind[][], type: string | undefined): Kind[][] {
  return tiers.map((kinds) => kinds.filter((one) => type === undefined || one.type === type));
}

async function resolveAmong(
  client: Client,
  text: string,
  tiers: readonly Kind[][],
  flag: string,
): Promise<string> {
  const kinds = tiers.flat();
  // What has no names, such as a session, can only be given as the trail has it.
  if (wholeId.test(text) || kinds.length === 0) return text;
  const isOwner =
    kinds.some(({ ownersOnly }) => ownersOnly) &&
    (await client.call("auth.me")).user.role === "owner";
  const isSeen = ({ ownersOnly }: Kind) => isOwner || !ownersOnly;
  for (const tier of tiers.map((all) => all.filter(isSeen))) {
    const found = await Promise.all(tier.map((one) => one.find(client, text)));
    const parties = found.flatMap((ids, at) =>
      ids.map((id) => ({ id, word: tier[at]?.word ?? "" })),
    );
    if (parties.length > 1) throw severalCalled(text, parties, flag);
    if (parties[0]) return parties[0].id;
  }
  const names = await Promise.all(kinds.filter(isSeen).map((one) => one.names(client)));
  throw noneCalled(text, kinds, names.flat(), kinds.every(isSeen));
}

/** The trail calls an API key `api_key`. */
function targetsAmong(isAmong: (noun: Noun) => boolean): Kind[] {
  const among = Object.values<Noun>(nouns).filter(isAmong);
  return among.map((noun) => kind(noun.one.toLowerCase().replaceAll(" ", "_"), noun));
}

function kind(type: string, noun: Noun): Kind {
  return {
    type,
    word: noun.one,
    ownersOnly: noun.access.list === "owner",
    find: (client, text) =>
      orNone(async () => (await matchesOf(noun, client, text)).map(({ id }) => id)),
    names: (client) => orNone(() => namesOf(noun, client)),
  };
}

/** Where the bus is switched off there are no routes. */
async function orNone(look: () => Promise<string[]>): Promise<string[]> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof AppError && error.code === "CAPSULE_BUS_DISABLED") return [];
    throw error;
  }
}

function severalCalled(
  text: string,
  parties: readonly { word: string; id: string }[],
  flag: string,
): CliError {
  const list = parties.map(({ word, id }) => `\n  ${id}  ${word}`).join("");
  const message = `${text} is several things; give the id, or ${flag}:${list}`;
  return new CliError(exit.conflict, message, { code: "AMBIGUOUS" });
}

function noneCalled(
  text: string,
  kinds: readonly Kind[],
  names: readonly string[],
  isAllSeen: boolean,
): CliError {
  const words = kinds.map(({ word }) => word);
  const word = [words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(" or ");
  const hidden = isAllSeen ? "" : " that may be seen with this credential; give its id";
  const hint = didYouMean(nearest(text, names));
  const message = `there is no ${word} ${text}${hidden}.${hint}`;
  return new CliError(exit.notFound, message, { code: "NOT_FOUND" });
}
