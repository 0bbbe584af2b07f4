// What a noun of the API is, beside its routes: how its lists look, what identifies one of them, and what can
// be done with one. The command line and the console make their lists, views and simple commands from it.
// Data only: `npm run generate` writes all of them to nouns.ts, without the schemas, so that a command
// starts without loading those.

import type { Role } from "../../domain/principals.ts";
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
  /** The heading on a page, where it is not the name: `Created by`. */
  label?: string;
  /** Where its value is in a row. */
  of: Source;
  /** A key is for copying and never cut; prose may take several lines. */
  kind?: "key" | "state" | "time" | "prose" | "number";
  /**
   * Only shown on request: `-o wide` in a terminal, the choice of columns on a page; in one of the two alone
   * where it names that one.
   */
  wide?: true | "terminal" | "page";
  /** Shown where there is no value. */
  none?: string;
  /** A page links to this noun, by the id in that field; where that is `of` itself, by the name of the one. */
  link?: { to: string; id: Extract<Source, string> };
  /** What values are called on a page, where not as they are. */
  values?: Readonly<Record<string, string>>;
}

/** Something that can be done with one, by a route that takes nothing but its id. */
export interface ActSpec<Field extends string = string> {
  /**
   * The question before it, when it cannot be undone or others notice it; what follows the question mark is
   * a short form of `happens`, for the command line. `{title}` is what the one is called; other fields of it
   * likewise: `{agentCode}`.
   */
  asks?: string;
  /** The server refuses it in this status, so there is no use in asking. */
  refusedWhen?: string;
  /** Completion offers only these. */
  completes?: "open-command";
  /** A page's question, where the command line does not ask and `Disable {title}?` would not do. */
  question?: string;
  /** What a page's button says; the word of the route when absent. */
  verb?: string;
  /** What the button says that does nothing, where "Cancel" could be taken for the act. */
  keep?: string;
  /** What happens, which a page says before; by the one's status where it depends on that. */
  happens?: readonly string[] | Readonly<Record<string, readonly string[]>>;
  /** What a page says when it is done, with fields of the one or of the answer: `{title} is disabled.` */
  done?: string;
  /** A page offers it only where each of these fields has one of these values. */
  when?: { readonly [F in Field]?: readonly string[] };
  /** It takes something away. */
  danger?: true;
  /** What the one is called must be typed first. */
  typed?: true;
  /** It is no route of its own but `update`, with these fields, in the version that was seen. */
  sets?: { readonly [F in Field]?: string };
}

/** What a page needs to know of a filter beyond the schema of the query. */
export interface FilterSpec {
  /** On the command line: `token` for `tokenState`. */
  flag?: string;
  label?: string;
  /** An example of what to type. */
  hint?: string;
  /** Offered while typing; anything else may be typed too. */
  suggests?: readonly string[];
  /** What is offered in place of the choices, and how; the empty one sets no filter. */
  options?: Readonly<Record<string, string>>;
}

/** What the command line needs to know of a field of `create` beyond the schema of the body. */
export interface FieldSpec {
  /** `agent` for `agentCode`. */
  flag?: string;
  /** Replaces the description of the schema. */
  hint?: string;
  /** Completion offers the names of this noun. */
  completes?: string;
  /** Without the flag. */
  default?: string;
  /** The choices in a terminal that asks for one, with what they mean. */
  meanings?: Readonly<Record<string, string>>;
}

export interface CreateSpec {
  fields?: Readonly<Record<string, FieldSpec>>;
  /** Without an expiry: `never`. */
  expires?: string;
  /** A sentence after the secret that is shown once. */
  reminder?: string;
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
  /** The heading of its list, where that is not the noun itself: `API keys`. */
  title?: string;
  /** One line, for the list of groups. */
  summary: string;
  /** A sentence or two below the heading of its list; the summary when absent. */
  lead?: string;
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
  /** The column that a page links to the one, where that is not its code or name. */
  opens?: FieldOf<Row>;
  /** What to say when there are none at all, in a terminal. */
  empty: string;
  /** The same on a page. */
  emptyPage?: string;
  /** By the query's fields. */
  filters?: Readonly<Record<string, FilterSpec>>;
  /** By the word after the dot of the route. */
  acts?: Record<string, ActSpec<FieldOf<Row>>>;
  create?: CreateSpec;
  wait?: WaitSpec;
  /** For the help, by command: `{ list: ["agents list -o name"] }`. */
  examples?: Record<string, readonly string[]>;
}

type Routes = Record<string, RouteSpec>;
type Reply<T extends Routes, Name> = Name extends keyof T ? ReplyData<T[Name]> : never;

export interface DefinedNoun
  extends Omit<NounSpec, "about" | "acts" | "columns" | "details" | "code" | "name" | "opens"> {
  noun: string;
  routes: Routes;
  code?: string;
  name?: string;
  opens?: string;
  acts?: Record<string, ActSpec>;
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
export interface NounFilter extends Omit<FilterSpec, "flag"> {
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

/** A field of what `create` takes, from the schema of its body. */
export interface NounField extends FieldSpec {
  name: string;
  kind: "text" | "choice" | "flag" | "number" | "time";
  required?: true;
  choices?: readonly string[];
  maxLength?: number;
}

/** As it is generated. */
export interface Noun
  extends Omit<DefinedNoun, "routes" | "filters" | "group" | "acts" | "create"> {
  group: string;
  title: string;
  /** Of the event bus. */
  bus?: true;
  /** Its id in the paths of its routes: `agentId`. */
  param: string;
  /** What its routes are called in help, by the word after the dot. */
  summaries: Readonly<Record<string, string>>;
  /** The least role for its routes, by the word after the dot. */
  access: Readonly<Record<string, Role>>;
  filters: readonly NounFilter[];
  /** The list takes a text to search for. */
  searches: boolean;
  /** The list is too long to be counted, and continues from a place. */
  isLong: boolean;
  acts: Readonly<Record<string, ActSpec>>;
  /**
   * What `create` takes, where its body is flat; `shownOnce` is the field of the answer that is a secret. It is
   * `idempotent` when it takes an Idempotency-Key.
   */
  create?: Omit<CreateSpec, "fields"> & {
    fields: readonly NounField[];
    shownOnce?: string;
    idempotent?: true;
  };
}
