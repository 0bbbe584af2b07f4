// Reads and changes the files of an installation below a root folder. Each change is atomic.

import { createHash, hash, randomBytes } from "node:crypto";
import {
  createReadStream,
  lstatSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { chmod, mkdir, open, readdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import type { Readable } from "node:stream";
import { flushFolder } from "../../lib/files/flush-folder.ts";
import { readTextOrNull } from "../../lib/files/read-text.ts";

/** Identifies contents: `sha256:…`, `link:<target>`, `folder`, or `other`. */
export type Identity = string;

export interface Seen {
  identity: Identity;
  mode: number;
  /** Whether this is a link to a folder below the same root. */
  leadsToFolder?: boolean;
}

/** Paths are as on the installed host, without the root. */
export class Disk {
  readonly #root: string;
  /** Folders with changes that are not flushed yet. */
  readonly #changed = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Returns the path that this process uses. */
  at(path: string): string {
    return join(this.#root, path);
  }

  /** Does not follow links. */
  async see(path: string): Promise<Seen | null> {
    const stats = lstatSync(this.at(path), { throwIfNoEntry: false });
    if (!stats) return null;
    const mode = stats.mode & 0o7777;
    if (stats.isSymbolicLink()) {
      const identity = linkIdentity(readlinkSync(this.at(path)));
      return { identity, mode, leadsToFolder: this.#leadsToFolder(path) };
    }
    if (stats.isDirectory()) return { identity: folderIdentity, mode };
    if (!stats.isFile()) return { identity: "other", mode };
    return { identity: await fileIdentity(this.at(path)), mode };
  }

  #leadsToFolder(path: string): boolean {
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
    return this.#place(path, (draft) => fill(draft, mode, () => content));
  }

  /** `from` is a path that this process uses. */
  copy(from: string, path: string, mode: number): Promise<void> {
    return this.#place(path, (draft) => fill(draft, mode, () => createReadStream(from)));
  }

  link(path: string, target: string): Promise<void> {
    return this.#place(path, async (draft) => symlinkSync(target, draft));
  }

  /** The parent must exist. Leaves an existing folder unchanged. */
  async makeFolder(path: string, mode: number): Promise<void> {
    try {
      await mkdir(this.at(path), mode);
      await chmod(this.at(path), mode);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }

  async remove(path: string): Promise<void> {
    await this.#removeDrafts(path);
    await rm(this.at(path), { force: true });
  }

  /** Returns false if the folder is not empty, or this user cannot remove it. */
  async removeFolder(path: string): Promise<boolean> {
    try {
      await rmdir(this.at(path));
      return true;
    } catch {
      return lstatSync(this.at(path), { throwIfNoEntry: false }) === undefined;
    }
  }

  /** Flushes all changes, so that they survive a power failure. */
  async settle(): Promise<void> {
    for (const folder of this.#changed) await flushFolder(folder);
    this.#changed.clear();
  }

  /** Readers find either the old file or the new one. A running program keeps the old one. */
  async #place(path: string, make: (draft: string) => Promise<void>): Promise<void> {
    await this.#removeDrafts(path);
    // The draft's name must not be predictable.
    const draft = `${this.#draftStart(path)}${randomBytes(6).toString("hex")}${draftEnd}`;
    try {
      await make(draft);
      await rename(draft, this.at(path));
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      throw error;
    }
    this.#changed.add(dirname(this.at(path)));
  }

  /** Removes the drafts that interrupted writes have left. */
  async #removeDrafts(path: string): Promise<void> {
    const start = this.#draftStart(path);
    const names = await readdir(dirname(start)).catch(() => []);
    for (const name of names) {
      const draft = join(dirname(start), name);
      if (!draft.startsWith(start) || !draft.endsWith(draftEnd)) continue;
      const random = draft.slice(start.length, -draftEnd.length);
      if (/^[0-9a-f]+$/.test(random)) await rm(draft, { force: true });
    }
  }

  #draftStart(path: string): string {
    return join(dirname(this.at(path)), `.${basename(path)}.`);
  }
}

const draftEnd = ".platform-install";

export const folderIdentity: Identity = "folder";

export function linkIdentity(target: string): Identity {
  return `link:${target}`;
}

export function textIdentity(content: string): Identity {
  return `sha256:${hash("sha256", content)}`;
}

/** `file` is a path that this process uses. */
export async function fileIdentity(file: string): Promise<Identity> {
  const digest = createHash("sha256");
  for await (const chunk of createReadStream(file)) digest.update(chunk);
  return `sha256:${digest.digest("hex")}`;
}

/** Uses only the file handle, because others could replace the name with a link to another file. */
async function fill(draft: string, mode: number, content: () => string | Readable): Promise<void> {
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(content());
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
