// The console for browsers: its files, and its one page for every path that it makes up by itself. Asked
// after the router has found nothing, so the API never waits for it.

import type { IncomingMessage } from "node:http";
import { isKnownTo } from "../../lib/json/fixed-json.ts";
import { chooseCoding } from "../requests/accept-encoding.ts";
import { type ConsoleFile, type ProjectFiles, readConsole } from "./files.ts";

/** An answer of bytes. */
export interface FileAnswer {
  status: number;
  /** Names and values in turn. */
  headers: string[];
  /** Null: not modified. */
  body: Buffer | null;
}

/** Answers a request for a path, without its query; null when there is nothing for it. */
export type Console = (request: IncomingMessage, path: string) => FileAnswer | null;

/** Read when it is asked for first, and kept; until there is one, each request looks again. */
export function createConsole(projectFiles: ProjectFiles): Console {
  let files: ReadonlyMap<string, ConsoleFile> | null = null;
  return ({ method, headers }, path) => {
    if ((method !== "GET" && method !== "HEAD") || !mayBePage(path)) return null;
    files ??= readConsole(projectFiles);
    const isPage = path === "/" || (!isFile(path, files) && wantsHtml(headers.accept));
    if (files === null) return isPage ? notBuilt() : null;
    const file = files.get(isPage ? "/index.html" : path);
    return file ? fileAnswer(file, headers, isPage) : null;
  };
}

/** All below /api/ is the API's, also what is not there. */
function mayBePage(path: string): boolean {
  return path.startsWith("/") && path !== "/api" && !path.startsWith("/api/");
}

/** All among the assets, also what is not there. Elsewhere an ending tells nothing: actions have dots. */
function isFile(path: string, files: ReadonlyMap<string, ConsoleFile> | null): boolean {
  return path.startsWith("/assets/") || files?.has(path) === true;
}

function wantsHtml(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes("text/html") === true;
}

function fileAnswer(
  file: ConsoleFile,
  asked: IncomingMessage["headers"],
  isPage: boolean,
): FileAnswer {
  const coding = chooseCoding(asOne(asked["accept-encoding"]), file.codings);
  const etag = file.etag(coding);
  const headers = [
    "Cache-Control",
    file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
    "ETag",
    etag,
    "Vary",
    isPage ? "Accept, Accept-Encoding" : "Accept-Encoding",
    ...contentPolicy,
  ];
  if (isKnownTo(asked["if-none-match"], etag)) return { status: 304, headers, body: null };
  const body = file.bytes(coding);
  headers.push("Content-Type", file.contentType, "Content-Length", String(body.length));
  if (coding !== "identity") headers.push("Content-Encoding", coding);
  return { status: 200, headers, body };
}

function asOne(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header.join() : header;
}

function notBuilt(): FileAnswer {
  const body = Buffer.from(
    "This installation has no console: it was not built.\n\n" +
      "Where the sources are, `npm run build:console` builds it, and this page shows it then.\n" +
      "Without it, `platformctl` and the API below /api/ do all that it does.\n",
  );
  const headers = [
    "Cache-Control",
    "no-store",
    ...contentPolicy,
    "Content-Type",
    "text/plain; charset=utf-8",
    "Content-Length",
    String(body.length),
  ];
  return { status: 404, headers, body };
}

/** Nothing but files of this server, and no frame around them. */
const contentPolicy = [
  "Content-Security-Policy",
  [
    "default-src 'none'",
    ...["script-src", "style-src", "img-src", "connect-src"].map((kind) => `${kind} 'self'`),
    ...["frame-ancestors", "base-uri", "form-action"].map((kind) => `${kind} 'none'`),
  ].join("; "),
];
