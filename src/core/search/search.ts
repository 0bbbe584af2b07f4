// Searches everything that has a page, for people who know a part of a name or an id.

import type { search } from "../../api/search.ts";
import { mayActAs, type Role, roleOf } from "../../domain/access/principals.ts";
import { searchedActionNames } from "../../domain/limits.ts";
import { factsOf } from "../../domain/route-facts.ts";
import {
  actionSearches,
  bestOf,
  fitOfName,
  idsMeant,
  type SearchedNounName,
  searchedNounNames,
  searchWords,
} from "../../domain/search.ts";
import type { Reader } from "../../store/database.ts";
import { findStatusFacts } from "../../store/tables/fleet/service-statuses.ts";
import {
  actionsAtOnce,
  type FoundAction,
  type FoundItem,
  findByCodeStart,
  findByIdStart,
  findByWords,
  findServicesWithAction,
  listActionNames,
  listActionsOf,
  mostActionNames,
  type Searcher,
} from "../../store/tables/search.ts";
import { bulkReader, type Ctx } from "../context.ts";
import { statusNow } from "../fleet/services.ts";
import type { HandlersOf } from "../handlers.ts";

export const handlers: HandlersOf<typeof search> = {
  "search.find": (ctx, { query }) => find(ctx, query.q, query.limit),
};

interface Found extends FoundItem {
  noun: SearchedNounName;
  action: Omit<FoundAction, "serviceId"> | null;
}

async function find(ctx: Ctx, q: string, limit: number) {
  const db = bulkReader(ctx);
  const may = nounsOf(ctx);
  const words = searchWords(q);
  const found = [
    ...(await findIds(ctx, db, q, may, limit)),
    ...(await findNamed(ctx, db, words, may, limit)),
    ...(await findActions(ctx, db, words, limit)),
  ];
  const best = bestOf(sorted(withoutRepeats(found)), limit);
  return toResults(ctx, db, best);
}

function nounsOf({ core, principal }: Ctx): SearchedNounName[] {
  const role = roleOf(principal);
  return searchedNounNames.filter((noun) => {
    const { access, bus = false } = factsOf(`${noun}.list`);
    // The list shows operators only their own API keys.
    const needed = noun === "api-keys" ? "owner" : (access as Role);
    return mayActAs(role, needed) && (!bus || core.settings.busEnabled);
  });
}

function searcherOf({ principal }: Ctx): Searcher {
  return { userId: principal.kind === "user" ? principal.userId : null };
}

async function findIds(
  ctx: Ctx,
  db: Reader,
  q: string,
  may: readonly SearchedNounName[],
  limit: number,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const { noun, id } of idsMeant(q)) {
    if (!may.includes(noun)) continue;
    const items = await findByIdStart(db, noun, id, searcherOf(ctx), limit);
    found.push(...items.map((item) => ({ ...item, noun, action: null })));
  }
  return found;
}

async function findNamed(
  ctx: Ctx,
  db: Reader,
  words: readonly string[],
  may: readonly SearchedNounName[],
  limit: number,
): Promise<Found[]> {
  const found: Found[] = [];
  for (const noun of may) {
    const items = await findByWords(db, noun, words, searcherOf(ctx), limit);
    found.push(...items.map((item) => ({ ...item, noun, action: null })));
  }
  const [code] = words;
  if (code === undefined || words.length > 1) return found;
  for (const noun of ["services", "agents"] as const) {
    const items = await findByCodeStart(db, noun, code, limit);
    found.push(...items.map((item) => ({ ...item, noun, action: null })));
  }
  return found;
}

/**
 * The maximum number of interpretations of the words that are tried. Each one reads all services.
 */
const mostReadings = 2;
/** This many of the best matching services are searched for the action before all others. */
const servicesAtFirst = 200;

async function findActions(
  { principal }: Ctx,
  db: Reader,
  words: readonly string[],
  limit: number,
): Promise<Found[]> {
  if (words.length < 2 || !mayActAs(roleOf(principal), "operator")) return [];
  const known = await listActionNames(db, searchedActionNames);
  const readings = actionSearches(words).flatMap(({ action, service }) => {
    const names = namesFor(known, action);
    return names[0] ? [{ names, service, fits: names[0].fits }] : [];
  });
  readings.sort((a, b) => a.fits - b.fits);
  const found: Found[] = [];
  for (const { names, service } of readings.slice(0, mostReadings)) {
    found.push(...(await findActionsNamed(db, names, service, limit)));
  }
  return found;
}

/** Returns the names that match the words best. */
function namesFor(known: readonly string[], words: readonly string[]): NameFit[] {
  const fitting = known.flatMap((name) => {
    const fits = fitOfName(name, words);
    return fits === null ? [] : [{ name, fits }];
  });
  fitting.sort((a, b) => a.fits - b.fits || a.name.length - b.name.length);
  return fitting.slice(0, mostActionNames);
}

/** An action's name, and how well it matches the words. Lower values are better. */
interface NameFit {
  name: string;
  fits: number;
}

async function findActionsNamed(
  db: Reader,
  names: readonly NameFit[],
  words: readonly string[],
  limit: number,
): Promise<Found[]> {
  const best = await findByWords(db, "services", words, { userId: null }, servicesAtFirst);
  const found = await actionsOf(db, names, best, limit);
  if (best.length < servicesAtFirst || found.length >= limit) return found;
  // The best services have too few such actions, so all services are searched.
  const all = names.map(({ name }) => name);
  return actionsOf(db, names, await findServicesWithAction(db, all, words, limit), limit);
}

async function actionsOf(
  db: Reader,
  names: readonly NameFit[],
  services: readonly FoundItem[],
  limit: number,
): Promise<Found[]> {
  const found: Found[] = [];
  for (let from = 0; from < services.length && found.length < limit; from += actionsAtOnce) {
    const some = new Map(services.slice(from, from + actionsAtOnce).map((one) => [one.id, one]));
    const all = names.map(({ name }) => name);
    for (const { serviceId, ...action } of await listActionsOf(db, [...some.keys()], all)) {
      const service = some.get(serviceId);
      const fits = names.find(({ name }) => name === action.name)?.fits;
      if (!service || fits === undefined) continue;
      const worse = Math.max(service.fit, fits);
      found.push({ ...service, noun: "services", status: null, action, fit: worse });
    }
  }
  return found;
}

const keyOf = ({ id, action }: Found) => `${id} ${action?.name ?? ""}`;

/** Keeps only the best match of an item that was found in several ways. */
function withoutRepeats(found: readonly Found[]): Found[] {
  const byKey = new Map<string, Found>();
  for (const one of found) {
    const known = byKey.get(keyOf(one));
    if (!known || one.fit < known.fit) byKey.set(keyOf(one), one);
  }
  return [...byKey.values()];
}

function sorted(found: readonly Found[]): Found[] {
  const place = ({ noun }: Found) => searchedNounNames.indexOf(noun);
  return found.toSorted(
    (a, b) =>
      a.fit - b.fit ||
      place(a) - place(b) ||
      a.title.length - b.title.length ||
      (a.title < b.title ? -1 : a.title > b.title ? 1 : 0) ||
      (keyOf(a) < keyOf(b) ? -1 : 1),
  );
}

async function toResults({ core }: Ctx, db: Reader, best: readonly Found[]) {
  const services = best.filter(({ noun, action }) => noun === "services" && action === null);
  const facts = await findStatusFacts(
    db,
    services.map(({ id }) => id),
  );
  const now = core.statusClock.now();
  return best.map(({ noun, id, title, about, status, action }) => {
    const of = action === null ? facts.get(id) : undefined;
    return {
      noun,
      id,
      title,
      about,
      status: of ? statusNow(core, of, now) : status,
      action,
    };
  });
}
