// What a noun of the API is, beside its routes: how its lists look, what identifies one of them, and what can
// be done with one. The command line and the console make their lists, views and simple commands from it.
// Data only: `npm run generate` writes all of them to nouns.ts, without the schemas, so that a command
// starts without loading those.

import type { CellFor, ValueSource } from "./cells.ts";
import type { ReplyData, RouteSpec } from "./route.ts";

/** A field of a row, or a field of an object in it: `user.username`. */
type FieldOf<Row> = {
  [K in keyof Row & string]: NonNullable<Row[K]> extends Record<string, unknown>
    ? K | `${K}.${keyof NonNullable<Row[K]> & string}`
    : K;
}[keyof Row & string];

type SourceIn<Row> = FieldOf<Row> | { cell: CellFor<Row> };

/** A column of a list, and a line of what is shown of one. */
export interface NounColumn<Source = ValueSource> {
  /** `last seen`: the heading, and what `--columns` takes. */
  name: string;
  /** Where its value is in a row. */
  of: Source;
  /** A key is for copying and never cut; prose may take several lines. */
  kind?: "key" | "state" | "time" | "prose";
  /** Only shown on request: `-o wide`, or the console's choice of columns. */
  wide?: true;
  /** Shown where there is no value. */
  none?: string;
}

/** Something that can be done with one, by a route that takes nothing but its id. */
export interface ActSpec {
  /**
   * The question before it, when it cannot be undone or others notice it. `{title}` is what the one is
   * called; other fields of it likewise: `{agentCode}`.
   */
  asks?: string;
  /** The server refuses it in this status, so there is no use in asking. */
  refusedWhen?: string;
  /** Completion offers only these. */
  completes?: "open-command";
}

/** `<noun> wait`: until one has a status. */
export interface WaitSpec {
  statuses: readonly string[];
  /** What it waits for unless `--for` names another. */
  default: string;
  /** Fields that change with every sign of life of the agent behind it. */
  news: readonly string[];
  /** Statuses that hold without a further sign of life. */
  lasting: readonly string[];
}

export interface NounSpec<Row = never, Detail = Row, Source = SourceIn<Row>> {
  /** The group of its commands, where the command line has a shorter word: `tokens`. */
  group?: string;
  /** One of them, within a sentence: `registration token`. */
  one: string;
  /** One line, for the list of groups. */
  summary: string;
  /** The beginning of its ids: `agt`. */
  prefix: string;
  /** A name that no two of them share. */
  code?: FieldOf<Row>;
  /** A name that several may have. */
  name?: FieldOf<Row>;
  /** How codes are compared; exactly when absent. */
  fold?: "username";
  /** Of several with the same name, the ones in this status are meant. */
  live?: string;
  /** What completion and lists of candidates show beside its code and name. */
  about: Source;
  columns: readonly NounColumn<Source>[];
  /** Lines of one that its list does not have. */
  details?: readonly NounColumn<SourceIn<Detail>>[];
  /** What to say when there are none at all. */
  empty: string;
  /** The flags of filters, where they are not the names of the query's fields. */
  flags?: Record<string, string>;
  /** By the word after the dot of the route. */
  acts?: Record<string, ActSpec>;
  wait?: WaitSpec;
  /** For the help, by command: `{ list: ["agents list -o name"] }`. */
  examples?: Record<string, readonly string[]>;
}

type Routes = Record<string, RouteSpec>;
type Reply<T extends Routes, Name> = Name extends keyof T ? ReplyData<T[Name]> : never;

export interface DefinedNoun
  extends Omit<NounSpec, "about" | "columns" | "details" | "code" | "name"> {
  noun: string;
  routes: Routes;
  code?: string;
  name?: string;
  about: ValueSource;
  columns: readonly NounColumn[];
  details?: readonly NounColumn[];
}

/** Checks the fields of a noun against what its routes return. */
export function defineNoun<T extends Routes, N extends string>(
  noun: N,
  routes: T,
  spec: NounSpec<
    Reply<T, `${N}.list`> extends readonly (infer Row)[] ? Row : never,
    Reply<T, `${N}.get`>
  >,
): DefinedNoun {
  return { ...(spec as unknown as Omit<DefinedNoun, "noun" | "routes">), noun, routes };
}

/** A filter of a list, from the schema of its query. */
export interface NounFilter {
  /** In the query: `tokenState`. */
  name: string;
  /** On the command line: `token`. */
  flag: string;
  /** `several`: any of these. `all`: repeated, and all of them must match. `id`: of another noun. */
  kind: "choice" | "several" | "all" | "text" | "search" | "time" | "id";
  choices?: readonly string[];
  /** The noun of an `id`. */
  of?: string;
  summary: string;
}

/** As it is generated. */
export interface Noun extends Omit<DefinedNoun, "routes" | "flags" | "group" | "acts"> {
  group: string;
  /** Its id in the paths of its routes: `agentId`. */
  param: string;
  /** What its routes are called in help, by the word after the dot. */
  summaries: Readonly<Record<string, string>>;
  filters: readonly NounFilter[];
  /** The list takes a text to search for. */
  searches: boolean;
  /** The list is too long to be counted, and continues from a place. */
  isLong: boolean;
  acts: Readonly<Record<string, ActSpec>>;
}
