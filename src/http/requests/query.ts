import { parse } from "node:querystring";

/** A repeated name gets a list of its values, which only some schemas accept. */
export function parseQuery(text: string): Record<string, unknown> {
  return { ...parse(text) };
}
