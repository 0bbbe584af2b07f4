// Reads and changes the files of an installation below a root folder. Each change is atomic and
// flushed.

import { hash } from "node:crypto";
import { createReadStream, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { chmod, mkdir, rename, rm, rmdir, symlink } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { replaceFile } from "../../lib/files/private-file.ts";
import { readTextOrNull } from "../../lib/files/read-text.ts";
import { sha256OfFile } from "../../lib/files/sha256.ts";

/** Identifies contents: `sha256:…`, `link:<target>`, `folder`, or `other`. */
export type Identity = string;

export interface Found {
  identity: Identity;
  mode: number;
}

/** Paths are as on the installed host, without the root. */
export class Disk {
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Returns the path that this process uses. */
  at(path: string): string {
    return join(this.#root, path);
  }

  /** Does not follow links. */
  async find(path: string): Promise<Found | null> {
    const stats = lstatSync(this.at(path), { throwIfNoEntry: false });
    if (!stats) return null;
    const mode = stats.mode & 0o7777;
    if (stats.isSymbolicLink()) {
      return { identity: linkIdentity(readlinkSync(this.at(path))), mode };
    }
    if (stats.isDirectory()) return { identity: folderIdentity, mode };
    if (!stats.isFile()) return { identity: "other", mode };
    return { identity: await fileIdentity(this.at(path)), mode };
  }

  exists(path: string): boolean {
    return lstatSync(this.at(path), { throwIfNoEntry: false }) !== undefined;
  }

  /**
   * Also true for a link to a folder below the root, because an administrator may have moved the
   * folder.
   */
  isFolder(path: string): boolean {
    try {
      const real = realpathSync.native(this.at(path));
      const isInside = !relative(realpathSync.native(this.#root), real).startsWith("..");
      return isInside && statSync(real).isDirectory();
    } catch {
      return false;
    }
  }

  read(path: string): Promise<string | null> {
    return readTextOrNull(this.at(path));
  }

  write(path: string, content: string, mode: number): Promise<void> {
    return replaceFile(this.at(path), content, { draft: this.#draftOf(path), mode });
  }

  /**
   * `from` is an actual path, not one on the installed host. A program that runs from `path` keeps
   * its old file.
   */
  copy(from: string, path: string, mode: number): Promise<void> {
    const content = createReadStream(from);
    return replaceFile(this.at(path), content, { draft: this.#draftOf(path), mode });
  }

  async link(path: string, target: string): Promise<void> {
    const draft = this.#draftOf(path);
    await rm(draft, { force: true });
    await symlink(target, draft);
    await rename(draft, this.at(path));
  }

  /** The parent must exist. */
  async makeFolder(path: string): Promise<void> {
    await mkdir(this.at(path));
    await chmod(this.at(path), 0o755);
  }

  remove(path: string): Promise<void> {
    return rm(this.at(path), { force: true });
  }

  /** Removes the draft that a crash during a change of this file has left. */
  removeDraft(path: string): Promise<void> {
    return rm(this.#draftOf(path), { force: true });
  }

  /** Returns false if the folder is not empty, or this user cannot remove it. */
  async removeFolder(path: string): Promise<boolean> {
    try {
      await rmdir(this.at(path));
      return true;
    } catch {
      return !this.exists(path);
    }
  }

  /** Always the same, so that the next change replaces a draft that a crash has left. */
  #draftOf(path: string): string {
    return join(dirname(this.at(path)), `.${basename(path)}.platform-install`);
  }
}

export const folderIdentity: Identity = "folder";

export function linkIdentity(target: string): Identity {
  return `link:${target}`;
}

export function textIdentity(content: string): Identity {
  return `sha256:${hash("sha256", content)}`;
}

/** `file` is an actual path, not one on the installed host. */
export async function fileIdentity(file: string): Promise<Identity> {
  return `sha256:${await sha256OfFile(file)}`;
}
