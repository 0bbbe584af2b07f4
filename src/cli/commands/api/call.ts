// `platformctl api METHOD PATH`: calls any API route. Only the server validates the call.

import { STATUS_CODES } from "node:http";
import { text as textFromChunks } from "node:stream/consumers";
import type { Client, RawAnswer } from "../../../client/client.ts";
import { jsonOrUndefined } from "../../../lib/json/json-or-undefined.ts";
import type { Invocation } from "../../command.ts";
import { CliError, exitStatusOfHttp, usageError } from "../../exit.ts";
import { keyAndValue } from "../../key-and-value.ts";
import { toJson } from "../../output/json.ts";
import { printableJson, printableText } from "../../output/printable.ts";
import { printableChunks } from "../../output/printable-chunks.ts";
import type { Io } from "../../terminal/io.ts";
import { jsonIn, textFrom } from "../actions/payload.ts";

interface ApiOptions {
  data?: string;
  query?: string[];
  include?: boolean;
  raw?: boolean;
}

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

export async function callApi(invocation: Invocation): Promise<number> {
  const { io, client, args } = invocation;
  const options = invocation.options as ApiOptions;
  const [typed = "", place = ""] = args;
  const method = typed.toUpperCase();
  if (!methods.includes(method)) {
    throw usageError(`the method must be one of ${methods.join(", ")}, not ${typed}.`);
  }
  const path = apiPath(place, options.query ?? []);
  const body = await readBody(invocation, method, options.data);
  const api = await client();
  const response = await api.request({ method, path, body });
  if (options.include) io.out(headOf(response));
  if (isFile(response)) await printChunks(io, response);
  else await printText(io, api, response, options.raw ?? false);
  return exitStatusOfHttp(response.status);
}

/** Returns the encoded path from the root. Throws a usage error. */
export function apiPath(typed: string, query: string[]): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(typed)) {
    throw usageError(
      "give a path such as /api/admin/agents; name the server with --server or a context.",
    );
  }
  if (typed.includes("#")) throw usageError("a path cannot contain #: write %23 instead.");
  const below = typed.startsWith("/") ? typed : typed.startsWith("api/") ? `/${typed}` : null;
  const base = "http://server";
  const url = new URL(base + (below ?? `/api/admin/${typed}`));
  const added = query.map(queryPair);
  const search = [url.search.slice(1), ...added].filter((part) => part !== "").join("&");
  return url.pathname + (search === "" ? "" : `?${search}`);
}

function queryPair(text: string): string {
  return new URLSearchParams([keyAndValue(text, "--query must be name=value")]).toString();
}

async function readBody(
  { io, signal }: Invocation,
  method: string,
  source: string | undefined,
): Promise<string | undefined> {
  if (source === undefined) return undefined;
  if (method === "GET" || method === "HEAD")
    throw usageError(`--data cannot be used with ${method}.`);
  const text = await textFrom(io, "--data", source, signal);
  jsonIn("--data", text);
  return text;
}

function headOf({ status, headers }: RawAnswer): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  return printableText(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\n${lines.join("")}\n`);
}

/** Downloads and responses other than JSON are printed as they arrive, unless they are errors. */
function isFile({ status, headers }: RawAnswer): boolean {
  if (status >= 400) return false;
  const saved = headers["content-disposition"]?.startsWith("attachment") ?? false;
  return saved || !isJson(headers);
}

async function printChunks(io: Io, { headers, chunks }: RawAnswer): Promise<void> {
  const type = headers["content-type"] ?? "";
  const isAnyJson = /^application\/(json|x-ndjson)\b/.test(type);
  if (io.isTerminal && !/^(text\/|application\/(json|x-ndjson)|$)/.test(type)) {
    throw usageError(`the response (${type}) cannot be printed on a terminal: add > FILE.`);
  }
  for await (const part of printableChunks(io, chunks, isAnyJson)) await io.outBytes(part);
}

async function printText(io: Io, api: Client, answer: RawAnswer, raw: boolean): Promise<void> {
  const { status, headers } = answer;
  const text = await textFromChunks(answer.chunks);
  const body = isJson(headers) ? jsonOrUndefined(text) : undefined;
  if (status >= 400 && text === "") {
    const message = `${api.target} returned ${status} ${STATUS_CODES[status] ?? ""} without a body.`;
    throw new CliError(exitStatusOfHttp(status), message);
  }
  if (status >= 400 && !isSuccess(body)) {
    const retryAfter = Number(headers["retry-after"]);
    const retryAfterSeconds = retryAfter >= 0 ? retryAfter : undefined;
    throw api.errorFrom({ status, body, retryAfterSeconds });
  }
  if (body !== undefined) io.out(raw ? printableJson(text) : `${toJson(body, 2)}\n`);
  else io.out(io.isTerminal ? printableText(text) : text);
}

/** Health responses have data even when the server is DOWN. */
function isSuccess(body: unknown): boolean {
  return (body as { success?: unknown } | null | undefined)?.success === true;
}

function isJson(headers: Record<string, string>): boolean {
  return /^application\/json\b/.test(headers["content-type"] ?? "");
}
