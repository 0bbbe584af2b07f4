// Installs: looks, decides, and does it in an order that an interruption at any moment leaves something which
// the next run mends. The list of what is laid is written first, with what may lie there meanwhile.

import { accessSync, constants } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../../lib/files/make-folder.ts";
import { CliError, exit } from "../exit.ts";
import { type Disk, fileIdentity, type Seen } from "./disk.ts";
import { notWritten, telling } from "./failures.ts";
import type { Laid } from "./layout.ts";
import { isSameManifest, manifestPath, readManifest, writeManifest } from "./manifest.ts";
import { besidePath, type Plan, plan, type Step } from "./plan.ts";
import { requireOwnFolders } from "./trust.ts";

export interface Installation {
  disk: Disk;
  prefix: string;
  wanted: readonly Laid[];
  /** The packaged program, as a path of this process. */
  program: string;
  version: string;
  force: boolean;
}

export interface Prepared {
  steps: Step[];
  /** Of the installation that is there; null when there is none. */
  before: string | null;
  /** Everything is as it shall be. */
  isDone: boolean;
  /** Stops between two steps when the signal aborts. */
  carryOut: (signal: AbortSignal) => Promise<void>;
}

/** Changes nothing. Throws a CliError when something that is not ours is in the way. */
export async function prepare(installation: Installation): Promise<Prepared> {
  const { disk, prefix, program, version, force } = installation;
  const listFolder = dirname(manifestPath(prefix));
  const wanted: Laid[] = [
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
  refuseStrangers(disk, decided.strangers, seen, wanted);
  const changes = decided.steps.filter(({ action }) => action !== "keep" && action !== "leave");
  return {
    steps: decided.steps,
    before: manifest?.version ?? null,
    isDone: changes.length === 0 && isSameManifest(manifest, decided.after),
    carryOut: (signal) => carryOut(installation, decided, changes, signal),
  };
}

async function carryOut(
  { disk, prefix, program }: Installation,
  { during, after }: Plan,
  changes: readonly Step[],
  signal: AbortSignal,
): Promise<void> {
  const list = manifestPath(prefix);
  const make = async (steps: readonly Step[]) => {
    for (const { laid, path } of steps) {
      signal.throwIfAborted();
      await telling(disk, path, () => (laid ? lay(disk, laid, program) : disk.remove(path)));
    }
  };
  const paths = [list, ...changes.map(({ path }) => path)];
  for (const path of paths) requireWritable(disk, path);
  await requireOwnFolders(disk, paths);
  makeFolder(disk.at("/"), 0o755);
  const isForList = ({ path }: Step) => list.startsWith(`${path}/`);
  await make(changes.filter(isForList));
  await telling(disk, list, () => writeManifest(disk, prefix, during));
  await make(changes.filter((step) => !isForList(step)));
  await telling(disk, list, () => writeManifest(disk, prefix, after));
}

function lay(disk: Disk, laid: Laid, program: string): Promise<void> {
  switch (laid.kind) {
    case "program":
      return disk.copy(program, laid.path, laid.mode);
    case "file":
      return disk.write(laid.path, laid.content, laid.mode);
    case "link":
      return disk.link(laid.path, laid.target);
    case "folder":
      return disk.makeFolder(laid.path, laid.mode);
  }
}

function pathsOf(laid: Laid): string[] {
  const isConfiguration = laid.kind === "file" && laid.isConfiguration;
  return isConfiguration ? [laid.path, besidePath(laid.path)] : [laid.path];
}

/** Of these and of all folders that they are in. */
async function lookAt(disk: Disk, paths: readonly string[]): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  const looked = new Set<string>();
  for (let path of paths) {
    for (; !looked.has(path) && path !== "/"; path = dirname(path)) {
      looked.add(path);
      const there = await disk.see(path).catch((error: unknown) => {
        throw notWritten(disk.at(path), error);
      });
      if (there) seen.set(path, there);
    }
  }
  return seen;
}

function refuseStrangers(
  disk: Disk,
  strangers: readonly string[],
  seen: ReadonlyMap<string, Seen>,
  wanted: readonly Laid[],
): void {
  if (strangers.length === 0) return;
  const folders = new Set(wanted.filter(({ kind }) => kind === "folder").map(({ path }) => path));
  const isFolder = (path: string) => seen.get(path)?.identity === "folder";
  const advice = strangers.some((path) => folders.has(path))
    ? "what is in the place of a folder must be moved away by hand"
    : strangers.some(isFolder)
      ? "what is a folder must be moved away by hand"
      : "--force replaces what is there";
  const [only, ...others] = strangers.map((path) => disk.at(path));
  const list = others.length === 0 ? `${only} is` : `${[only, ...others].join(", ")} are`;
  throw new CliError(
    exit.conflict,
    `${list} there already, and not as this program has laid it. Look what it is; ${advice}.`,
    { code: "IN_THE_WAY", details: { paths: strangers } },
  );
}

/** Throws before anything was changed. */
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
