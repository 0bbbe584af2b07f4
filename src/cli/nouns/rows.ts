// Calls the API routes of any noun.

import { valueIn } from "../../api/contract/cells.ts";
import type { Noun } from "../../api/contract/noun.ts";
import type { RouteName } from "../../api/index.ts";
import type { Client } from "../../client/client.ts";
import type { Page } from "../output/listing.ts";

export interface Row {
  id: string;
  [field: string]: unknown;
}

export function listPage(client: Client, { noun }: Noun, query: object): Promise<Page<Row>> {
  // The client has a separate type for each noun's list.
  return client.page(`${noun}.list` as "agents.list", { query }) as unknown as Promise<Page<Row>>;
}

/** Calls the route `<noun>.<word>`, whose only parameter is the id. */
export function callOn(
  client: Client,
  { noun, param }: Noun,
  word: string,
  id: string,
  more: { query?: object; body?: object | undefined } = {},
) {
  const params = { [param]: id } as unknown as { agentId: string };
  const name = `${noun}.${word}` as RouteName as "agents.get";
  // The type of this route has neither a query nor a body.
  const input: { params: typeof params } = { params, ...more };
  return client.call(name, input) as unknown as Promise<Row>;
}

/** Reads an item of which only a part is shown. The server keeps a command's one-time secret. */
export function lookAt(client: Client, noun: Noun, id: string): Promise<Row> {
  const query = noun.noun === "commands" ? { secret: "keep" } : {};
  return callOn(client, noun, "get", id, { query });
}

/** Returns the text by which people recognize a row, for example its code. */
export function knownBy(noun: Noun, row: Row): string {
  return noun.code || noun.name ? titleOf(noun, row) : String(valueIn(row, noun.about));
}

export function titleOf({ code, name }: Noun, row: Row): string {
  if (code) return String(row[code]);
  const called = name ? row[name] : null;
  return typeof called === "string" ? `${called} (${row.id})` : row.id;
}
