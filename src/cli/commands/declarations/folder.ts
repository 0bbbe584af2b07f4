// Finds the files of declarations: one file, or all *.yaml, *.yml and *.json files of a folder.

import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { bodyLimitBytes } from "../../../domain/limits.ts";
import { onOperatorsFile } from "../../../lib/files/acting-user.ts";
import { fileProblem } from "../../../lib/files/file-problem.ts";

export interface FoundFile {
  /** The path as users see it. */
  path: string;
  /** The path within the folder, which is the same on every machine. */
  name: string;
  bytes: Uint8Array;
}

export interface FileProblem {
  path: string;
  message: string;
}

export interface Found {
  files: FoundFile[];
  problems: FileProblem[];
}

const names = /\.(ya?ml|json)$/i;

/**
 * Reads a file, or all files of a folder and its subfolders, sorted by path. Names that begin with a
 * dot are left out. Follows links, and reads each file and folder once.
 */
export function findFiles(path: string): Found {
  const found: Found = { files: [], problems: [] };
  onOperatorsFile(path, () => visit(path, "", found, new Set()));
  return found;
}

function visit(path: string, name: string, found: Found, seen: Set<string>): void {
  const complain = (message: string) => void found.problems.push({ path, message });
  try {
    const real = realpathSync(path);
    if (seen.has(real)) return;
    seen.add(real);
    const stats = statSync(real);
    if (stats.isDirectory()) {
      for (const entry of entriesOf(path)) {
        visit(join(path, entry), name === "" ? entry : `${name}/${entry}`, found, seen);
      }
    } else if (!stats.isFile()) complain("is not a regular file");
    else if (stats.size > bodyLimitBytes.declarations) {
      complain(`is larger than ${bodyLimitBytes.declarations / 1024 / 1024} MiB`);
    } else found.files.push({ path, name: name || path, bytes: readFileSync(real) });
  } catch (error) {
    complain(`cannot be read: ${fileProblem(error)}`);
  }
}

/** Subfolders, and files with a known ending. A link to nothing is reported when it is read. */
function entriesOf(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !entry.name.startsWith("."))
    .filter((entry) => names.test(entry.name) || isFolder(join(folder, entry.name)))
    .map((entry) => entry.name)
    .sort();
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
