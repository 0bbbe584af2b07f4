import type { Json } from "../../domain/payload/json.ts";
import { formatBytes } from "../../lib/bytes.ts";
import { lookUp } from "../../lib/json/json-pointer.ts";
import type { HttpResponse } from "./http-call.ts";

export const maxResponseBytes = 1024 * 1024;

/** Throws an Error with the reason, which does not quote the response. */
export function valueIn(response: HttpResponse, pointer: string): Json {
  if (response.cut) throw new Error(`the response is larger than ${formatBytes(maxResponseBytes)}`);
  const found = lookUp(parsed(response), pointer);
  if (!found.found) throw new Error(`the response has no ${pointer}`);
  return found.value as Json;
}

function parsed({ text, headers }: HttpResponse): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const type = headers["content-type"];
    throw new Error(`the response is not JSON${type === undefined ? "" : ` but ${type}`}`);
  }
}

/** Returns the status and, for a redirect, its target without parts that may be secret. */
export function statusOf({ status, headers }: HttpResponse): string {
  const { location } = headers;
  if (location === undefined) return `HTTP ${status}`;
  const shown = location.replace(/[?#].*/s, "").replace(/\/\/[^/]*@/, "//");
  return `HTTP ${status} to ${shown}`;
}

export function isSuccess({ status }: HttpResponse): boolean {
  return status >= 200 && status <= 299;
}
