import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { conffiles, controlFile, type Description, installedKiB, md5sums } from "./control.ts";
import type { Entry } from "./tree.ts";

const maintainerScripts = join(import.meta.dirname, "maintainer");

export interface Contents {
  tree: readonly Entry[];
  program: Buffer;
  about: Omit<Description, "installedKiB">;
  /** Later modification times are replaced by this one (SOURCE_DATE_EPOCH). In Unix seconds. */
  time: number;
}

/** The same contents give the same bytes. */
export function buildPackage(file: string, { tree, program, about, time }: Contents): void {
  const folder = mkdtempSync(join(tmpdir(), "platform-deb-"));
  try {
    const root = join(folder, "root");
    makeFolder(root);
    for (const entry of tree) lay(root, entry, program);
    const control = join(root, "DEBIAN");
    makeFolder(control);
    const size = installedKiB(tree, program);
    put(join(control, "control"), controlFile({ ...about, installedKiB: size }), 0o644);
    put(join(control, "conffiles"), conffiles(tree), 0o644);
    put(join(control, "md5sums"), md5sums(tree, program), 0o644);
    for (const name of readdirSync(maintainerScripts)) {
      put(join(control, name), readFileSync(join(maintainerScripts, name)), 0o755);
    }
    // Debian 11 and older do not support zstd.
    execFileSync("dpkg-deb", ["--root-owner-group", "-Zxz", "--build", root, file], {
      env: { PATH: process.env.PATH, SOURCE_DATE_EPOCH: String(time) },
      stdio: ["ignore", "ignore", "inherit"],
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function lay(root: string, entry: Entry, program: Buffer): void {
  const path = join(root, entry.path);
  makeFolder(dirname(path));
  switch (entry.kind) {
    case "program":
      put(path, program, entry.mode);
      break;
    case "file":
      put(path, entry.content, entry.mode);
      break;
    case "link":
      symlinkSync(entry.target, path);
      break;
    case "folder":
      makeFolder(path);
      chmodSync(path, entry.mode);
  }
}

function put(file: string, content: string | Buffer, mode: number): void {
  writeFileSync(file, content);
  chmodSync(file, mode);
}

/** Creates the parents too. The umask has no effect. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
  chmodSync(folder, 0o755);
}
