// Finds the files of declarations: one file, or all *.yaml, *.yml and *.json files of a folder. The
// folder is not trusted, because it can come from anybody, for example with a pull request.

import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { join, sep } from "node:path";
import { bodyLimitBytes } from "../../../domain/limits.ts";
import { fileProblem } from "../../../lib/files/file-problem.ts";

interface FoundFile {
  /** The path as users see it. */
  path: string;
  /** The path within the folder, which is the same on every machine. */
  name: string;
  bytes: Uint8Array;
}

interface FileProblem {
  path: string;
  message: string;
}

export interface Found {
  files: FoundFile[];
  problems: FileProblem[];
}

interface Search extends Found {
  /** Links may lead out of this folder only if `followsLinks`. */
  root: string;
  followsLinks: boolean;
  seen: Set<string>;
  /** How many folder entries were read. */
  entries: number;
  /** How many bytes were read. */
  bytes: number;
}

const names = /\.(ya?ml|json)$/i;
const mostEntries = 10_000;
const mostBytes = bodyLimitBytes.declarations;
/** The limit for all files together. It exceeds the request's, because comments are not sent. */
const mostBytesOfAll = 16 * mostBytes;

/**
 * Reads a file, or all files of a folder and its subfolders, sorted by path. Names that begin with
 * a dot are left out. Each file and folder is read once. Links that lead out of the folder are
 * mistakes, unless `followsLinks`.
 */
export function findFiles(path: string, followsLinks = false): Found {
  const root = realPath(path);
  const seen = new Set<string>();
  const counts = { entries: 0, bytes: 0 };
  const search: Search = { files: [], problems: [], root, followsLinks, seen, ...counts };
  visit(path, "", search);
  const { files, problems } = search;
  return { files, problems };
}

/** A path that does not exist is reported when it is read. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function visit(path: string, name: string, search: Search): void {
  const { files, problems, seen } = search;
  if (search.bytes > mostBytesOfAll) return;
  try {
    const real = realpathSync(path);
    if (seen.has(real)) return;
    seen.add(real);
    if (!search.followsLinks && !isWithin(real, search.root)) {
      const message = "is a link that leads out of the folder: use --follow-links to read it";
      problems.push({ path, message });
      return;
    }
    const stats = statSync(real);
    if (stats.isDirectory()) {
      for (const entry of entriesOf(path, search)) {
        visit(join(path, entry), name === "" ? entry : `${name}/${entry}`, search);
      }
      return;
    }
    const bytes = stats.isFile() ? bytesOf(real) : special;
    if (typeof bytes === "string") {
      problems.push({ path, message: bytes });
      return;
    }
    search.bytes += bytes.length;
    if (search.bytes <= mostBytesOfAll) files.push({ path, name: name || path, bytes });
    else
      problems.push({ path, message: tooLarge("is, with the files before it,", mostBytesOfAll) });
  } catch (error) {
    problems.push({ path, message: `cannot be read: ${fileProblem(error)}` });
  }
}

function isWithin(real: string, root: string): boolean {
  return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
}

/**
 * Returns the subfolders and the files with a known ending. A link to nothing is reported when it
 * is read.
 */
function entriesOf(folder: string, search: Search): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const before = search.entries;
  search.entries += entries.length;
  if (search.entries > mostEntries) {
    if (before > mostEntries) return [];
    const message = `has, with the folders before it, more than ${mostEntries} files and folders`;
    search.problems.push({ path: folder, message });
    return [];
  }
  return entries
    .filter((entry) => !entry.name.startsWith("."))
    .filter((entry) => names.test(entry.name) || isFolder(join(folder, entry.name)))
    .map((entry) => entry.name)
    .sort();
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

const special = "is not a regular file";

function tooLarge(what: string, most: number): string {
  return `${what} larger than ${most / 1024 / 1024} MiB`;
}

/**
 * Returns the content, or why the file is not read. Never blocks, for example on a named
 * pipe. A file with content but a stated size of 0 is special, as in /proc.
 */
function bytesOf(path: string): Uint8Array | string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return special;
    const buffer = Buffer.allocUnsafe(mostBytes + 1);
    let length = 0;
    while (length <= mostBytes) {
      const read = readSync(file, buffer, length, buffer.length - length, null);
      if (read === 0) return Uint8Array.from(buffer.subarray(0, length));
      if (stats.size === 0) return special;
      length += read;
    }
    return tooLarge("is", mostBytes);
  } finally {
    closeSync(file);
  }
}
