// Completes names that the server knows.

import { valueIn } from "../../api/contract/cells.ts";
import type { Noun } from "../../api/contract/noun.ts";
import { type NounName, nouns } from "../../api/contract/nouns.ts";
import type { Client } from "../../client/client.ts";
import { approverRoles } from "../../domain/approvals/policies.ts";
import { listedActions } from "../../domain/fleet/services.ts";
import type { NameKind } from "../command.ts";
import { description } from "../names/search.ts";
import { listPage, type Row } from "../nouns/rows.ts";
import type { Candidate, Given } from "./spot.ts";

/** Nobody reads more names than this. */
const pageSize = 200;
/** How many rows to offer if they have no name. People recognize such rows by their time. */
const newest = 50;

type Names = (api: Client, typed: string, given: Given) => Promise<Candidate[]>;

/** The result may include names that do not begin with the typed text. */
export function namesOf(kind: NameKind, ...call: Parameters<Names>): Promise<Candidate[]> {
  const special = specials[kind as keyof typeof specials];
  return special ? special(...call) : namesOfNoun(nouns[kind as NounName], call[0], call[1]);
}

/** Includes users only for owners. The server would audit the denial of anyone else's call. */
function andUsers(...kinds: NounName[]): Names {
  return async (...call) => {
    const isOwner = (await call[0].call("auth.me")).user.role === "owner";
    const all: NounName[] = isOwner ? [...kinds, "users"] : kinds;
    const found = await Promise.allSettled(all.map((kind) => namesOf(kind, ...call)));
    return found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  };
}

const specials: Record<Exclude<NameKind, NounName>, Names> = {
  actor: andUsers("agents"),
  target: andUsers("agents", "services"),
  async action(api, _typed, { args, options }) {
    const { getNamed } = await import("../names/resolve.ts");
    const service = typeof options.service === "string" ? options.service : args[0];
    const { actions } = await getNamed(api, "services", service ?? "");
    return listedActions(actions).map(({ name, label, dangerLevel }) => ({
      value: name,
      description: `${label} (${dangerLevel})`,
    }));
  },
  async "open-command"(api) {
    const query = { pageSize: newest, status: ["PENDING", "RUNNING"] };
    const { data } = await listPage(api, nouns.commands, query);
    return data.map((row) => byId(nouns.commands, row));
  },
  async "open-approval"(api) {
    const query = { pageSize: newest, state: ["AWAITING_APPROVAL"] };
    const { data } = await listPage(api, nouns.approvals, query);
    return data.map((row) => byId(nouns.approvals, row));
  },
  async view(api, _typed, { command }) {
    const [group = ""] = command.split(" ");
    const list = Object.values(nouns).find((noun) => noun.group === group)?.noun ?? "audit-events";
    const noun = nouns["saved-views"];
    const { data } = await listPage(api, noun, { pageSize, noun: [list] });
    return data.map((row) => ({
      value: String(row.name),
      description: String(valueIn(row, { cell: "viewQuery" })),
    }));
  },
  async approver(...call) {
    const roles = approverRoles.map((value) => ({ value, description: `any ${value}` }));
    return [...roles, ...(await andUsers()(...call))];
  },
};

async function namesOfNoun(noun: Noun, api: Client, typed: string): Promise<Candidate[]> {
  const isId = typed.startsWith(`${noun.prefix}_`);
  const hasName = noun.code ?? noun.name;
  const { data } = await listPage(api, noun, {
    pageSize: hasName ? pageSize : newest,
    // The server searches, because in a large fleet the first page might not contain the matches.
    ...(noun.searches && typed !== "" && !/^[a-z]{3}_/.test(typed) ? { q: typed } : {}),
  });
  return data.map((row) => (hasName && !isId ? byName(noun, row) : byId(noun, row)));
}

function byName(noun: Noun, row: Row): Candidate {
  const called = row[noun.code ?? noun.name ?? "id"];
  if (typeof called !== "string") return byId(noun, row);
  return { value: called, description: description(noun, row, called) };
}

function byId(noun: Noun, row: Row): Candidate {
  return { value: row.id, description: description(noun, row) };
}
