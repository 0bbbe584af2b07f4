// What a pointer finds in an HTTP answer of a service.

import type { Json } from "../../domain/payload/json.ts";
import { formatBytes } from "../../lib/bytes.ts";
import { lookUp } from "../../lib/json/json-pointer.ts";
import type { HttpAnswer } from "./http-call.ts";

/** More of an answer is not read. */
export const maxAnswerBytes = 1024 * 1024;

/** Throws an Error that says why there is nothing to find; it quotes nothing of the answer. */
export function valueIn(answer: HttpAnswer, pointer: string): Json {
  if (answer.cut) throw new Error(`the answer is over ${formatBytes(maxAnswerBytes)}`);
  const found = lookUp(parsed(answer), pointer);
  if (!found.found) throw new Error(`the answer has no ${pointer}`);
  return found.value as Json;
}

function parsed({ text, headers }: HttpAnswer): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const type = headers["content-type"];
    throw new Error(`the answer is not JSON${type === undefined ? "" : ` but ${type}`}`);
  }
}

/** "HTTP 503", and where a redirect leads to, for nobody follows it: without what may be a secret. */
export function statusOf({ status, headers }: HttpAnswer): string {
  const { location } = headers;
  if (location === undefined) return `HTTP ${status}`;
  const shown = location.replace(/[?#].*/s, "").replace(/\/\/[^/]*@/, "//");
  return `HTTP ${status} to ${shown}`;
}

export function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status <= 299;
}
