// The nouns of the API: the texts of each, and the facts of its routes.

import type { Role } from "../../domain/access/principals.ts";
import {
  type FieldFacts,
  type Fields,
  pageParameters,
  type RouteFacts,
  routeFacts,
} from "../../domain/route-facts.ts";
import { idPrefixes, type SearchedNounName } from "../../domain/search.ts";
import { capitalized, uncapitalized } from "../../lib/capitalized.ts";
import { agents } from "../nouns/agents.ts";
import { apiKeys } from "../nouns/api-keys.ts";
import { approvalPolicies } from "../nouns/approval-policies.ts";
import { approvals } from "../nouns/approvals.ts";
import { busEvents } from "../nouns/bus-events.ts";
import { busRoutes } from "../nouns/bus-routes.ts";
import { commands } from "../nouns/commands.ts";
import { nodes } from "../nouns/nodes.ts";
import { registrationTokens } from "../nouns/registration-tokens.ts";
import { rollouts } from "../nouns/rollouts.ts";
import { savedViews } from "../nouns/saved-views.ts";
import { schedules } from "../nouns/schedules.ts";
import { services } from "../nouns/services.ts";
import { users } from "../nouns/users.ts";
import type { AnyNounTexts, FilterSpec, Noun, NounField, NounFilter } from "./noun.ts";

const texts = {
  agents,
  "api-keys": apiKeys,
  "approval-policies": approvalPolicies,
  approvals,
  "bus-events": busEvents,
  "bus-routes": busRoutes,
  commands,
  nodes,
  "registration-tokens": registrationTokens,
  rollouts,
  "saved-views": savedViews,
  schedules,
  services,
  users,
} satisfies Record<SearchedNounName, AnyNounTexts>;

export type NounName = keyof typeof texts;

const names = Object.keys(texts) as NounName[];

/** The routes of each noun by the part of the name after the dot, without exports. */
const routesOf: Record<string, Record<string, RouteFacts>> = {};
for (const [name, facts] of Object.entries(routeFacts)) {
  const [noun = "", word = ""] = name.split(".");
  routesOf[noun] ??= {};
  if (facts.exportOf === undefined) routesOf[noun][word] = facts;
}

/** The nouns by the parameter with the id of an object: `agentId`. */
const nounOfParam = new Map(names.map((noun) => [paramOf(noun), noun]));

function paramOf(noun: NounName): string | undefined {
  return Object.keys(routesOf[noun]?.get?.params ?? {})[0];
}

export const nouns = Object.fromEntries(
  names.map((noun) => [noun, described(noun, texts[noun])]),
) as Readonly<Record<NounName, Noun>>;

function described(noun: NounName, { create, filters = {}, ...spec }: AnyNounTexts): Noun {
  const { group = noun, title = capitalized(noun.replaceAll("-", " ")), acts = {} } = spec;
  const routes = routesOf[noun] ?? {};
  const { bus, query = {} } = routes.list ?? {};
  const byWord = <T>(read: (facts: RouteFacts) => T) =>
    Object.fromEntries(Object.entries(routes).map(([word, facts]) => [word, read(facts)]));
  const form = routes.create && createForm(routes.create, create);
  return {
    ...spec,
    noun,
    group,
    title,
    prefix: idPrefixes[noun],
    ...(bus ? { bus } : {}),
    param: paramOf(noun) ?? "id",
    summaries: byWord(({ summary }) => summary),
    access: byWord(({ access }) => access as Role),
    filters: filtersFrom(query, filters),
    searches: "q" in query,
    sorts: (query.sort?.choices ?? []).filter((word) => !word.startsWith("-")),
    isLong: "before" in query,
    acts,
    ...(form ? { create: form } : {}),
  };
}

/** Returns undefined if the body needs a form of its own. */
function createForm(
  { body, idempotent }: RouteFacts,
  { fields: special = {}, ...spec }: AnyNounTexts["create"] = {},
): Noun["create"] {
  if (!body) return undefined;
  const fields = Object.entries(body).map(([name, facts]): NounField => {
    const { kind, required, choices, max: maxLength, description: hint } = facts;
    return {
      name,
      kind: kind as NounField["kind"],
      ...(required ? { required } : {}),
      ...(choices ? { choices } : {}),
      ...(maxLength === undefined ? {} : { maxLength }),
      ...(hint === undefined ? {} : { hint }),
      ...special[name],
    };
  });
  // An object becomes a field only if the noun's texts mention it.
  if (fields.some(({ name, kind }) => kind === "map" && !special[name])) return undefined;
  const { shownOnce } = typeof idempotent === "object" ? idempotent : {};
  return {
    ...spec,
    fields,
    ...(idempotent ? { idempotent: true } : {}),
    ...(shownOnce === undefined ? {} : { shownOnce }),
  };
}

function filtersFrom(query: Fields, special: Readonly<Record<string, FilterSpec>>): NounFilter[] {
  const filters = Object.entries(query).filter(
    ([name]) => name !== "sort" && !pageParameters.includes(name),
  );
  return filters.map(([name, facts]) => {
    const { choices } = facts;
    const of = nounOfParam.get(name);
    const kind = of ? "id" : filterKindOf(name, facts);
    return {
      name,
      flag: kind === "search" ? "search" : name.replace(/Id$/, ""),
      kind,
      ...(choices ? { choices } : {}),
      ...(of ? { of } : {}),
      ...(kind === "selector" ? { label: "Labels", hint: "region=eu,!canary" } : {}),
      summary: summaryOf(facts),
      ...special[name],
    };
  });
}

function filterKindOf(name: string, { kind }: FieldFacts): NounFilter["kind"] {
  if (name === "q") return "search";
  return name === "selector" ? "selector" : (kind as NounFilter["kind"]);
}

/** Help uses the description as a part of a sentence. */
function summaryOf({ choices, description = "" }: FieldFacts): string {
  const text = uncapitalized(description.replace(/\.$/, ""));
  return choices ? `${choices.join(", ")}: ${text}` : text;
}
