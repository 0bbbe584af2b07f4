// The routes of any noun, called by what its description says of them.

import type { Noun } from "../../api/contract/noun.ts";
import type { Pagination } from "../../api/contract/route.ts";
import type { RouteName } from "../../api/index.ts";
import type { Client } from "../../client/client.ts";

/** One of a noun, as its routes return it. */
export interface Row {
  id: string;
  [field: string]: unknown;
}

export interface RowPage {
  data: readonly Row[];
  pagination: Pagination;
}

export function listPage(client: Client, { noun }: Noun, query: object): Promise<RowPage> {
  // Any list: the types of the client know each of them alone.
  return client.page(`${noun}.list` as "agents.list", { query }) as unknown as Promise<RowPage>;
}

/** `word` is what follows the dot in the name of a route that takes nothing but the id. */
export function callOn(client: Client, { noun, param }: Noun, word: string, id: string) {
  const params = { [param]: id } as unknown as { agentId: string };
  const name = `${noun}.${word}` as RouteName as "agents.get";
  return client.call(name, { params }) as unknown as Promise<Row>;
}

/** What one is called in a question: its code; else its name with the id; else the id. */
export function titleOf({ code, name }: Noun, row: Row): string {
  if (code) return String(row[code]);
  const called = name ? row[name] : null;
  return typeof called === "string" ? `${called} (${row.id})` : row.id;
}
