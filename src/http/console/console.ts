// Serves the console to browsers when the router has found no route.

import type { IncomingMessage } from "node:http";
import { isKnownTo } from "../../lib/json/fixed-json.ts";
import { chooseCoding } from "../requests/accept-encoding.ts";
import { type ConsoleFile, type ProjectFiles, readConsole } from "./files.ts";

export interface FileAnswer {
  status: number;
  headers: string[]; // names and values alternate
  /** The content, or null if the client's copy is current. */
  body: Buffer | null;
}

/** `path` has no query. Returns null if the path is not the console's. */
export type Console = (request: IncomingMessage, path: string) => FileAnswer | null;

/** Caches the console's files. Until they exist, looks for them again at each request. */
export function createConsole(projectFiles: ProjectFiles): Console {
  let files: ReadonlyMap<string, ConsoleFile> | null = null;
  return ({ method, headers }, path) => {
    if ((method !== "GET" && method !== "HEAD") || !mayBePage(path)) return null;
    files ??= readConsole(projectFiles);
    if ((path === "/docs" || path === "/docs/") && files?.has(docsPage))
      return redirectTo(docsPage);
    const isPage = path === "/" || (!isFile(path, files) && wantsHtml(headers.accept));
    if (files === null) return isPage ? notBuilt() : null;
    const file = files.get(isPage ? "/index.html" : path);
    return file ? fileAnswer(file, headers, isPage) : null;
  };
}

/** The first page of the documentation, which is built with the console. */
const docsPage = "/docs/index.html";

function redirectTo(location: string): FileAnswer {
  const headers = ["Cache-Control", "no-cache", "Location", location, "Content-Length", "0"];
  return { status: 302, headers: [...headers, ...contentPolicy], body: null };
}

/** Paths below /api/ belong to the API even if they do not exist. */
function mayBePage(path: string): boolean {
  return path.startsWith("/") && path !== "/api" && !path.startsWith("/api/");
}

/** A dot in any other path means nothing, because names of actions can contain dots. */
function isFile(path: string, files: ReadonlyMap<string, ConsoleFile> | null): boolean {
  return path.startsWith("/assets/") || files?.has(path) === true;
}

function wantsHtml(accept: string | undefined): boolean {
  return accept?.toLowerCase().includes("text/html") === true;
}

function fileAnswer(
  file: ConsoleFile,
  requested: IncomingMessage["headers"],
  isPage: boolean,
): FileAnswer {
  const coding = chooseCoding(asOne(requested["accept-encoding"]), file.codings);
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
  if (isKnownTo(requested["if-none-match"], etag)) return { status: 304, headers, body: null };
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
    "The console of this installation has not been built.\n\n" +
      "To build it, run `npm run build:console` in the source folder, then reload this page.\n" +
      "Without the console, `platformctl` and the API below /api/ offer the same functions.\n",
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

/** Allows only files from this server, and no frames. */
const contentPolicy = [
  "Content-Security-Policy",
  [
    "default-src 'none'",
    ...["script-src", "style-src", "font-src", "img-src", "connect-src"].map(
      (kind) => `${kind} 'self'`,
    ),
    ...["frame-ancestors", "base-uri", "form-action"].map((kind) => `${kind} 'none'`),
  ].join("; "),
];
