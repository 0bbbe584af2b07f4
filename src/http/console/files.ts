// Reads the files of the console that the build has listed, and converts them between content
// codings.

import { createHash } from "node:crypto";
import { extname } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { consoleFolder, consoleListing } from "../../lib/files/project-files.ts";
import type { Coding } from "../requests/accept-encoding.ts";

export type Listing = Record<string, ListedFile>;

export interface ListedFile {
  /** The hash of the file without coding. */
  sha256: string;
  /** The file also exists in these codings, as `<path>.br` and `<path>.gz`. */
  codings: Exclude<Coding, "identity">[];
}

export interface ProjectFiles {
  has(path: string): boolean;
  /** Throws if the file does not exist. */
  read(path: string): Buffer;
}

export interface ConsoleFile {
  contentType: string;
  /** Whether the name changes with the content, so that the file can be cached forever. */
  isImmutable: boolean;
  codings: readonly Coding[];
  etag(coding: Coding): string; // differs between codings
  bytes(coding: Coding): Buffer;
}

export function hasConsole(files: ProjectFiles): boolean {
  return files.has(consoleListing);
}

/** Returns the files by URL path; null if the console is not built. Throws if a file is missing. */
export function readConsole(files: ProjectFiles): ReadonlyMap<string, ConsoleFile> | null {
  if (!hasConsole(files)) return null;
  const listing: Listing = JSON.parse(files.read(consoleListing).toString());
  return new Map(
    Object.entries(listing).map(([path, listed]) => [`/${path}`, readFile(files, path, listed)]),
  );
}

function readFile(files: ProjectFiles, path: string, listed: ListedFile): ConsoleFile {
  const coded = new Map<Coding, Buffer>();
  for (const coding of listed.codings) {
    const name = consoleFolder + path + suffixes[coding];
    // A packaged program contains only one of the codings.
    if (files.has(name)) coded.set(coding, files.read(name));
  }
  // If there is none, the file without coding is read instead.
  if (coded.size === 0) coded.set("identity", files.read(consoleFolder + path));
  return {
    contentType: contentTypes[extname(path)] ?? "application/octet-stream",
    isImmutable: path.startsWith("assets/"),
    codings: [...listed.codings, "identity"],
    etag: (coding) => `"${listed.sha256.slice(0, 32)}${coding === "identity" ? "" : `-${coding}`}"`,
    bytes(coding) {
      const known = coded.get(coding);
      if (known) return known;
      const made = madeFrom(coded, coding);
      coded.set(coding, made);
      return made;
    },
  };
}

function madeFrom(coded: ReadonlyMap<Coding, Buffer>, coding: Coding): Buffer {
  const gzipped = coded.get("gzip");
  const plain =
    coded.get("identity") ??
    (gzipped ? gunzipSync(gzipped) : brotliDecompressSync(coded.get("br") ?? Buffer.alloc(0)));
  if (coding === "identity") return plain;
  return coding === "gzip" ? gzipSync(plain, { level: 9 }) : brotliCompressSync(plain);
}

export function listedFile(content: Buffer, codings: ListedFile["codings"]): ListedFile {
  return { sha256: createHash("sha256").update(content).digest("hex"), codings };
}

export const suffixes = { br: ".br", gzip: ".gz" } as const;

const contentTypes: Record<string, string> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};
