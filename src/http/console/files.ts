// The files of the console as they are sent: what `npm run build:console` has made, in the codings in which
// it has made them. Only what the build has listed is ever read.

import { createHash } from "node:crypto";
import { extname } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import { consoleFolder, consoleListing } from "../../lib/files/project-files.ts";
import type { Coding } from "../requests/accept-encoding.ts";

/** What the build says of its files, by their paths below the folder. */
export type Listing = Record<string, ListedFile>;

export interface ListedFile {
  /** Of the file without a coding. */
  sha256: string;
  /** Those in which it lies there as well, as `<path>.br` and `<path>.gz`. */
  codings: Exclude<Coding, "identity">[];
}

/** How the files of a project are reached. */
export interface ProjectFiles {
  has(path: string): boolean;
  /** Throws when it is not there. */
  read(path: string): Buffer;
}

export interface ConsoleFile {
  contentType: string;
  /** Its name changes with what is in it. */
  isImmutable: boolean;
  codings: readonly Coding[];
  /** An entity tag that tells the codings apart. */
  etag(coding: Coding): string;
  bytes(coding: Coding): Buffer;
}

export function hasConsole(files: ProjectFiles): boolean {
  return files.has(consoleListing);
}

/** By their URL's path; null when no console was built. Throws when a file of it is missing. */
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
    // A packaged program brings one of them along.
    if (files.has(name)) coded.set(coding, files.read(name));
  }
  // Few clients want it where there is a coded one.
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

/** The same file in a coding in which it is not there. */
function madeFrom(coded: ReadonlyMap<Coding, Buffer>, coding: Coding): Buffer {
  const gzipped = coded.get("gzip");
  const plain =
    coded.get("identity") ??
    (gzipped ? gunzipSync(gzipped) : brotliDecompressSync(coded.get("br") ?? Buffer.alloc(0)));
  if (coding === "identity") return plain;
  return coding === "gzip" ? gzipSync(plain, { level: 9 }) : brotliCompressSync(plain);
}

/** What a listing says of a file. */
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
