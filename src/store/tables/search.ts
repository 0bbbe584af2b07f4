// Finds items of all nouns by their names and ids. Each statement reads a bounded number of rows,
// and has the same text for any number of words.

import type { DangerLevel } from "../../domain/fleet/services.ts";
import { maxRowsSearched, searchedRows } from "../../domain/limits.ts";
import { fit, mostSearchWords, type SearchedNounName } from "../../domain/search.ts";
import { filled, placeholders } from "../blocks.ts";
import { lowerCase } from "../columns.ts";
import type { Reader, SqlValue } from "../database.ts";

export interface FoundItem {
  id: string;
  title: string;
  about: string | null;
  status: string | null;
  fit: number;
}

/**
 * The caller of a search. Users also find their own views. `userId` is null for all other callers.
 */
export interface Searcher {
  userId: string | null;
}

interface Subject {
  table: string;
  title: string;
  about: string;
  status: string;
  /** The columns to search, the most important first. Without any, only ids are searched. */
  texts: readonly string[];
  /** A condition on the rows. Its parameters come before the words. */
  visible?: string;
  /**
   * False if the rows are read in any order, so that SQLite can read an index instead of wide rows.
   */
  newest?: false;
}

/**
 * The status of services is not read here, because it depends on the time (findStatusFacts in
 * service-statuses.ts).
 */
const subjects: Readonly<Record<SearchedNounName, Subject>> = {
  services: {
    table: "services",
    title: "code",
    about: "name",
    status: "NULL",
    texts: ["code", "name"],
    newest: false,
  },
  agents: {
    table: "agents",
    title: "code",
    about: "name",
    status: "status",
    texts: ["code", "name"],
    newest: false,
  },
  commands: {
    table: "commands",
    title: "action",
    about: "service_code",
    status: "status",
    texts: [],
  },
  rollouts: {
    table: "rollouts",
    title: "COALESCE(name, action)",
    about: "action",
    status: "state",
    texts: ["name", "action"],
  },
  schedules: {
    table: "schedules",
    title: "name",
    about: "action",
    status: "state",
    texts: ["name"],
  },
  approvals: {
    table: "approvals",
    title: "title",
    about: "action",
    status: "state",
    texts: ["title"],
  },
  "bus-routes": {
    table: "bus_routes",
    title: "name",
    about: "match_type",
    status: "state",
    texts: ["name"],
  },
  "bus-events": {
    table: "bus_events",
    title: "type",
    about: "source",
    status: "NULL",
    texts: [],
  },
  "registration-tokens": {
    table: "registration_tokens",
    title: "COALESCE(name, id)",
    about: "agent_code",
    status: "NULL",
    texts: ["name"],
  },
  "saved-views": {
    table: "saved_views",
    title: "name",
    about: "noun",
    status: "NULL",
    texts: ["name"],
    visible: "(user_id IS NULL OR user_id = ?)",
  },
  "approval-policies": {
    table: "approval_policies",
    title: "name",
    about: "description",
    status: "NULL",
    texts: ["name"],
  },
  nodes: { table: "nodes", title: "host", about: "url", status: "NULL", texts: ["host"] },
  users: {
    table: "users",
    title: "username",
    about: "COALESCE(display_name, role)",
    status: "status",
    texts: ["username", "display_name"],
  },
  "api-keys": { table: "api_keys", title: "name", about: "role", status: "NULL", texts: ["name"] },
};

const columnsOf = ({ title, about, status }: Subject) =>
  `id, ${title} AS "title", ${about} AS "about", ${status} AS "status"`;

/**
 * Returns the SQL for how well a row matches. It has three parameters, or five with a second text.
 * Each one is the whole phrase.
 */
function fitExpression({ texts }: Subject): string {
  const all = texts.map((_, at) => `lower_${at}`);
  const begins = all.map(
    (text, at) => `WHEN INSTR(${text}, ?) = 1 THEN ${at === 0 ? fit.code : fit.name}`,
  );
  return `CASE WHEN ${all.map((text) => `${text} = ?`).join(" OR ")} THEN ${fit.exact}
    ${begins.join(" ")} WHEN INSTR(lower_all, ?) > 0 THEN ${fit.part} ELSE ${fit.words} END`;
}

/** Conversion to lower case takes the most time, so each text is converted once. */
function searchSql(subject: Subject): string {
  const { table, texts, visible, newest = true } = subject;
  const lower = texts.map((text, at) => `LOWER(${text}) AS lower_${at}`);
  const whole = texts.map((text) => `COALESCE(${text}, '')`).join(" || '|' || ");
  const seen = visible === undefined ? "" : `WHERE ${visible}`;
  const rows = newest ? `ORDER BY id DESC LIMIT ${maxRowsSearched}` : `LIMIT ${searchedRows}`;
  const words = Array(mostSearchWords).fill("INSTR(lower_all, ?) > 0").join(" AND ");
  return `SELECT looked.id, "title", "about", "status", ${fitExpression(subject)} AS "fit"
    FROM (SELECT ${columnsOf(subject)}, ${lower.join(", ")}, LOWER(${whole}) AS lower_all
      FROM ${table} ${seen} ${rows}) looked
    WHERE ${words} ORDER BY "fit", LENGTH("title"), "title", id LIMIT ?`;
}

function searchParams({ texts }: Subject, words: readonly string[], own: readonly SqlValue[]) {
  const lower = words.map(lowerCase);
  const phrase = lower.join(" ");
  const phrases = Array<string>(2 * texts.length + 1).fill(phrase);
  return [...phrases, ...own, ...filled(lower, mostSearchWords)];
}

const mapped = <T>(to: (subject: Subject) => T) =>
  Object.fromEntries(Object.entries(subjects).map(([noun, one]) => [noun, to(one)])) as Readonly<
    Record<SearchedNounName, T>
  >;

const searches = mapped((subject) => (subject.texts.length > 0 ? searchSql(subject) : null));
const byId = mapped((subject) => {
  const seen = subject.visible === undefined ? "" : `AND ${subject.visible}`;
  return `SELECT ${columnsOf(subject)}, ${fit.exact} AS "fit" FROM ${subject.table}
    WHERE id >= ? AND id < ? ${seen} ORDER BY id LIMIT ?`;
});

const ownOf = ({ visible }: Subject, { userId }: Searcher): SqlValue[] => (visible ? [userId] : []);

/** Returns the items in whose texts each word occurs, the best first. */
export async function findByWords(
  db: Reader,
  noun: SearchedNounName,
  words: readonly string[],
  searcher: Searcher,
  limit: number,
): Promise<FoundItem[]> {
  const sql = searches[noun];
  if (sql === null) return [];
  const subject = subjects[noun];
  return db.all(sql, ...searchParams(subject, words, ownOf(subject, searcher)), limit);
}

/** Returns the items whose ids begin with `id`, the oldest first. */
export function findByIdStart(
  db: Reader,
  noun: SearchedNounName,
  id: string,
  searcher: Searcher,
  limit: number,
): Promise<FoundItem[]> {
  return db.all(byId[noun], id, `${id}~`, ...ownOf(subjects[noun], searcher), limit);
}

/** Returns the services or agents whose codes begin with `code`, through the index on the code. */
export function findByCodeStart(
  db: Reader,
  noun: "services" | "agents",
  code: string,
  limit: number,
): Promise<FoundItem[]> {
  const subject = subjects[noun];
  return db.all(
    `SELECT ${columnsOf(subject)}, ${fit.code} AS "fit" FROM ${subject.table}
     WHERE code >= ? AND code < ? ORDER BY code LIMIT ?`,
    code,
    `${code}\u{10ffff}`,
    limit,
  );
}

/** Lists the distinct names of actions. Jumps from one to the next in the index. */
export async function listActionNames(db: Reader, limit: number): Promise<string[]> {
  const rows = await db.all<{ name: string }>(
    `SELECT name FROM (WITH RECURSIVE names (name) AS (SELECT MIN(name) FROM service_actions
       UNION ALL SELECT (SELECT MIN(a.name) FROM service_actions a WHERE a.name > names.name)
         FROM names WHERE names.name IS NOT NULL)
     SELECT name FROM names LIMIT ?) found WHERE name IS NOT NULL`,
    limit,
  );
  return rows.map(({ name }) => name);
}

/** How many names of actions one search can have. */
export const mostActionNames = 8;
const nameParameters = placeholders(mostActionNames);
/** At most this many services with one of the actions are searched. */
const mostServicesWithAction = 2000;

/** The parameters of the condition are the names. */
const withAction: Subject = {
  ...subjects.services,
  visible: `id IN (SELECT service_id FROM service_actions WHERE name IN (${nameParameters}) AND hidden = 0
    LIMIT ${mostServicesWithAction})`,
};
const searchWithAction = searchSql(withAction);

/** Like findByWords, but finds only services that declare one of the actions. */
export function findServicesWithAction(
  db: Reader,
  names: readonly string[],
  words: readonly string[],
  limit: number,
): Promise<FoundItem[]> {
  const params = searchParams(withAction, words, filled(names, mostActionNames));
  return db.all(searchWithAction, ...params, limit);
}

/** The most services that one call of listActionsOf can take. */
export const actionsAtOnce = 50;
const serviceParameters = placeholders(actionsAtOnce);
const actionsSql = `SELECT service_id AS "serviceId", name, label, danger_level AS "dangerLevel"
  FROM service_actions WHERE service_id IN (${serviceParameters})
    AND name IN (${nameParameters}) AND hidden = 0`;

export interface FoundAction {
  serviceId: string;
  name: string;
  label: string;
  dangerLevel: DangerLevel;
}

/**
 * Returns the visible actions with these names that the services declare, in no particular order.
 */
export function listActionsOf(
  db: Reader,
  serviceIds: readonly string[],
  names: readonly string[],
): Promise<FoundAction[]> {
  const params = [...filled(serviceIds, actionsAtOnce), ...filled(names, mostActionNames)];
  return db.all(actionsSql, ...params);
}
