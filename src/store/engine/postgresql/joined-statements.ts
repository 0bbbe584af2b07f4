// Statements that differ only in their parameters, and that works send in the same turn, run as one:
// PostgreSQL spends most of the time of a small statement on beginning and ending it.
// (docs/decisions/0022-postgresql-writes.md)

import type { SqlValue } from "../../database.ts";
import { joinableForm, joinedParams, joinedSql, type Kind, kindOf } from "./joined-sql.ts";
import type { Session } from "./session.ts";
import type { Result } from "./statement-run.ts";

/** A work that sends statements. */
export interface Sender {
  /** The place of its last statement, which its next one must not precede. */
  place: number;
}

interface Joined {
  readonly place: number;
  readonly kinds: Kind[];
  /** For each work. */
  readonly params: (readonly SqlValue[])[];
  readonly results: Promise<Result[]>;
}

export class JoinedStatements {
  readonly #session: Session;
  #places = 0;
  /** Those that others can still join, by their texts. */
  readonly #open = new Map<string, Joined>();

  constructor(session: Session) {
    this.#session = session;
  }

  /** Runs the statement after all that the sender has sent before. */
  async query(sender: Sender, sql: string, params: readonly SqlValue[]): Promise<Result> {
    const form = joinableForm(sql);
    const kinds = form === null ? null : kindsOf(params);
    if (kinds === null) {
      sender.place = ++this.#places;
      return this.#session.query(sql, params);
    }
    let joined = this.#open.get(sql);
    // A change may be there only once, because a joined statement changes no row twice.
    const latest = (joined?.place ?? 0) - (form === "change" ? 1 : 0);
    if (!joined || sender.place > latest || !joinKinds(joined.kinds, kinds)) {
      joined = this.#begin(sql, kinds);
    }
    sender.place = joined.place;
    const at = joined.params.push(params) - 1;
    return (await joined.results)[at] as Result;
  }

  /** Whatever is sent from now on runs after everything that was sent before. */
  close(): void {
    this.#open.clear();
  }

  #begin(sql: string, kinds: Kind[]): Joined {
    const params: Joined["params"] = [];
    const results = this.#session.queryJoined(() => {
      if (this.#open.get(sql) === joined) this.#open.delete(sql);
      const [first = []] = params;
      if (params.length === 1) return { sql, params: first, parts: null };
      return {
        sql: joinedSql(sql, kinds),
        params: joinedParams(kinds, params),
        parts: params.length,
      };
    });
    const joined: Joined = { place: ++this.#places, kinds, params, results };
    this.#open.set(sql, joined);
    return joined;
  }
}

/** Returns null if the parameters fit into no arrays, or need none. */
function kindsOf(params: readonly SqlValue[]): Kind[] | null {
  const kinds = params.map(kindOf);
  if (kinds.includes(null) || kinds.every((kind) => kind === "null")) return null;
  return kinds as Kind[];
}

/** Makes `kinds` fit for more values. Returns false, and changes nothing, if that is not possible. */
function joinKinds(kinds: Kind[], others: readonly Kind[]): boolean {
  const both = kinds.map((kind, at) => {
    const other = others[at] as Kind;
    if (kind === other || other === "null") return kind;
    return kind === "null" ? other : null;
  });
  if (both.includes(null)) return false;
  kinds.splice(0, kinds.length, ...(both as Kind[]));
  return true;
}
