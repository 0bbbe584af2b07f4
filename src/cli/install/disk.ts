// The disk below a root: what lies at a path, and the few changes that an installation makes. Each change is
// there whole or not at all.

import { createHash, randomBytes } from "node:crypto";
import {
  createReadStream,
  lstatSync,
  readlinkSync,
  realpathSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { chmod, type FileHandle, mkdir, open, readdir, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { flushFolder } from "../../lib/files/flush-folder.ts";
import { readTextOrNull } from "../../lib/files/read-text.ts";

/** What tells one content from another: `sha256:…`, `link:<target>`, `folder`, or `other`. */
export type Identity = string;

export interface Seen {
  identity: Identity;
  mode: number;
  /** It is a link to a folder of the same root. */
  leadsToFolder?: boolean;
}

/** Paths are those of the installed host, `root` comes before them. */
export class Disk {
  readonly #root: string;
  /** Folders in which something has changed that is not flushed yet. */
  readonly #changed = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** Where it is for this process. */
  at(path: string): string {
    return join(this.#root, path);
  }

  /** Null when there is nothing. Links are not followed. */
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

  /** Null when there is none. */
  read(path: string): Promise<string | null> {
    return readTextOrNull(this.at(path));
  }

  write(path: string, content: string, mode: number): Promise<void> {
    return this.#place(path, (draft) => fill(draft, mode, (handle) => handle.writeFile(content)));
  }

  /** `from` is a path of this process. */
  copy(from: string, path: string, mode: number): Promise<void> {
    return this.#place(path, (draft) =>
      fill(draft, mode, (handle) => handle.writeFile(createReadStream(from))),
    );
  }

  link(path: string, target: string): Promise<void> {
    return this.#place(path, async (draft) => symlinkSync(target, draft));
  }

  /** Its parent must be there. One that is there is left as it is. */
  async makeFolder(path: string, mode: number): Promise<void> {
    try {
      await mkdir(this.at(path), mode);
      await chmod(this.at(path), mode);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }

  /** A file or a link, and what an interrupted write may have left beside it. */
  async remove(path: string): Promise<void> {
    await this.#removeDrafts(path);
    await rm(this.at(path), { force: true });
  }

  /** False when it is not empty, or not ours to remove. */
  async removeFolder(path: string): Promise<boolean> {
    try {
      await rmdir(this.at(path));
      return true;
    } catch {
      return lstatSync(this.at(path), { throwIfNoEntry: false }) === undefined;
    }
  }

  /** What was changed before outlives a loss of power. */
  async settle(): Promise<void> {
    for (const folder of this.#changed) await flushFolder(folder);
    this.#changed.clear();
  }

  /** Whoever looks meanwhile finds the old or the new one. A program that runs goes on with the old one. */
  async #place(path: string, make: (draft: string) => Promise<void>): Promise<void> {
    await this.#removeDrafts(path);
    // A name that nobody can know before.
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

  /** Those that were left when a write was interrupted. */
  async #removeDrafts(path: string): Promise<void> {
    const start = this.#draftStart(path);
    const names = await readdir(dirname(start)).catch(() => []);
    for (const name of names) {
      const draft = join(dirname(start), name);
      if (!draft.startsWith(start) || !draft.endsWith(draftEnd)) continue;
      const chosen = draft.slice(start.length, -draftEnd.length);
      if (/^[0-9a-f]+$/.test(chosen)) await rm(draft, { force: true });
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
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

/** Of the file at a path of this process. */
export async function fileIdentity(file: string): Promise<Identity> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(file)) hash.update(piece);
  return `sha256:${hash.digest("hex")}`;
}

/**
 * Makes the draft, with this mode whatever the umask says. Everything goes by its handle: whoever can write to
 * the folder can put a link to another file under the name.
 */
async function fill(
  draft: string,
  mode: number,
  write: (handle: FileHandle) => Promise<void>,
): Promise<void> {
  const handle = await open(draft, "wx", 0o600);
  try {
    await write(handle);
    await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
