// Installs the program. The list of installed files is written first, with the old and the new
// content of each file, so that the next run can complete an interrupted one.

import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../lib/files/make-folder.ts";
import { CliError, exit } from "../exit.ts";
import { type Disk, fileIdentity, folderIdentity, type Seen } from "./disk.ts";
import { notWritten, requireOwnFolders, resumable } from "./failures.ts";
import type { Item } from "./layout.ts";
import { isSameManifest, manifestPath, readManifest, writeManifest } from "./manifest.ts";
import { besidePath, type Plan, plan, type Step } from "./plan.ts";

interface Installation {
  disk: Disk;
  prefix: string;
  wanted: readonly Item[];
  /** The packaged program, as a path that this process uses. */
  program: string;
  version: string;
  force: boolean;
}

export type Prepared = Awaited<ReturnType<typeof prepare>>;

/** Changes nothing. Throws a CliError if something that is not ours is in the way. */
export async function prepare(installation: Installation) {
  const { disk, prefix, program, version, force } = installation;
  const listFolder = dirname(manifestPath(prefix));
  const wanted: Item[] = [
    { kind: "folder", what: "folder", path: listFolder, mode: 0o755 },
    ...installation.wanted,
  ];
  const manifest = await readManifest(disk, prefix);
  const paths = [...wanted.flatMap(pathsOf), ...Object.keys(manifest?.files ?? {})];
  const seen = await lookAt(disk, paths);
  const decided = plan({
    wanted,
    programIdentity: await fileIdentity(program),
    version,
    seen: (path) => seen.get(path) ?? null,
    manifest,
    force,
  });
  if (decided.strangers.length > 0) throw inTheWay(disk, decided.strangers, seen, wanted);
  const changes = decided.steps.filter(({ action }) => action !== "keep" && action !== "leave");
  return {
    steps: decided.steps,
    /** The installed version; null if there is none. */
    before: manifest?.version ?? null,
    isDone: changes.length === 0 && isSameManifest(manifest, decided.after),
    carryOut: (signal: AbortSignal) => carryOut(installation, decided, changes, signal),
  };
}

/** Stops between two steps if the signal aborts. */
async function carryOut(
  { disk, prefix, program }: Installation,
  { during, after }: Plan,
  changes: readonly Step[],
  signal: AbortSignal,
): Promise<void> {
  const list = manifestPath(prefix);
  const make = async (steps: readonly Step[]) => {
    for (const { item, path } of steps) {
      signal.throwIfAborted();
      await resumable(disk, path, () => (item ? put(disk, item, program) : disk.remove(path)));
    }
  };
  const paths = [list, ...changes.map(({ path }) => path)];
  for (const path of paths) requireWritable(disk, path);
  await requireOwnFolders(disk, paths);
  makeFolder(disk.at("/"), 0o755);
  const isForList = ({ path }: Step) => list.startsWith(`${path}/`);
  await make(changes.filter(isForList));
  await resumable(disk, list, () => writeManifest(disk, prefix, during));
  await make(changes.filter((step) => !isForList(step)));
  await resumable(disk, list, () => writeManifest(disk, prefix, after));
}

function put(disk: Disk, item: Item, program: string): Promise<void> {
  switch (item.kind) {
    case "program":
      return disk.copy(program, item.path, item.mode);
    case "file":
      return disk.write(item.path, item.content, item.mode);
    case "link":
      return disk.link(item.path, item.target);
    case "folder":
      return disk.makeFolder(item.path, item.mode);
  }
}

function pathsOf(item: Item): string[] {
  const isConfiguration = item.kind === "file" && item.isConfiguration;
  return isConfiguration ? [item.path, besidePath(item.path)] : [item.path];
}

/** Also looks at the parents of these paths. */
async function lookAt(disk: Disk, paths: readonly string[]): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  const looked = new Set<string>();
  for (let path of paths) {
    for (; !looked.has(path) && path !== "/"; path = dirname(path)) {
      looked.add(path);
      const found = await disk.see(path).catch((error: unknown) => {
        throw notWritten(disk.at(path), error);
      });
      if (found) seen.set(path, found);
    }
  }
  return seen;
}

function inTheWay(
  disk: Disk,
  strangers: readonly string[],
  seen: ReadonlyMap<string, Seen>,
  wanted: readonly Item[],
): CliError {
  const isWanted = (path: string) =>
    wanted.some((item) => item.kind === "folder" && item.path === path);
  const advice = strangers.some(isWanted)
    ? "manually move whatever is at the path of a folder out of the way"
    : strangers.some((path) => seen.get(path)?.identity === folderIdentity)
      ? "manually move the folders away"
      : "--force replaces what exists";
  const paths = strangers.map((path) => disk.at(path)).join(", ");
  const message =
    strangers.length === 1
      ? `${paths} already exists, and was not installed by this program. Check what it is; ${advice}.`
      : `${paths} already exist, and were not installed by this program. Check what they are; ${advice}.`;
  return new CliError(exit.conflict, message, {
    code: "IN_THE_WAY",
    details: { paths: strangers },
  });
}

function requireWritable(disk: Disk, path: string): void {
  let folder = dirname(disk.at(path));
  while (true) {
    try {
      accessSync(folder, constants.W_OK | constants.X_OK);
      return;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "ENOENT" || dirname(folder) === folder) throw notWritten(folder, error);
      folder = dirname(folder);
    }
  }
}
