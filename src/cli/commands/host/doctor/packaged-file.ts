// Checks the packaged file: it is unchanged, only root can write to it, and, for a database file,
// it can unpack SQLite.

import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isPackaged } from "../../../../lib/files/project-files.ts";
import { sha256OfFile } from "../../../../lib/files/sha256.ts";
import { type Check, type Finding, failure, ok, warning } from "./check.ts";
import type { Subject } from "./subject.ts";

export const packagedChecks: Check[] = isPackaged
  ? [{ name: "packaged file", doing: "checking the packaged file", run: checkFile }]
  : [];

async function checkFile(subject: Subject): Promise<Finding> {
  const file = process.execPath;
  const expected = await listedSum(file);
  if (expected !== null && expected !== (await sha256OfFile(file, subject.signal))) {
    return failure(`${file} does not match SHA256SUMS next to it`, "Copy it again.");
  }
  const found = expected === null ? [] : ["matches SHA256SUMS"];
  const { place } = subject;
  // A server on PostgreSQL does not unpack SQLite.
  if (place.kind === "file") {
    const { loadNativePart, nativeHome } = await import("../../../../packaged/native-part.ts");
    try {
      loadNativePart(place.file);
    } catch (error) {
      return failure((error as Error).message, "Fix this, then run this command again.");
    }
    const home = nativeHome();
    found.push(`SQLite is ${home === null ? "unpacked at each start" : `kept in ${home}`}`);
  }
  const { requireTrusted } = await import("../../../../packaged/trusted-folder.ts");
  try {
    requireTrusted(file);
  } catch (error) {
    return warning(
      `${(error as Error).message}, and can therefore replace the program`,
      "Move the program to a folder that only root can write to, such as /usr/local/bin.",
    );
  }
  return ok(found.join("; ") || "no other user can replace it");
}

/** Returns the digest in SHA256SUMS next to the file; null if there is none. */
async function listedSum(file: string): Promise<string | null> {
  const sums = await readFile(join(dirname(file), "SHA256SUMS"), "utf8").catch(() => "");
  const line = sums.split("\n").find((text) => text.endsWith(`  ${basename(file)}`));
  return line?.slice(0, 64) ?? null;
}
