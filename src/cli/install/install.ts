// Decides for each path what an installation does there, then does it. A step looks at its path
// first, so an interrupted installation is completed by the next one.

import { dirname } from "node:path";
import { makeFolder } from "../../lib/files/make-folder.ts";
import { CliError, exit } from "../exit.ts";
import {
  type Disk,
  type Found,
  fileIdentity,
  folderIdentity,
  type Identity,
  linkIdentity,
  textIdentity,
} from "./disk.ts";
import type { FileLike, Item } from "./layout.ts";
import {
  type Files,
  isSameManifest,
  type Manifest,
  manifestPath,
  readManifest,
  writeManifest,
} from "./manifest.ts";
import { carryOut, explained, requireOwnFolders, type Step } from "./steps.ts";

interface Installation {
  disk: Disk;
  prefix: string;
  items: readonly Item[];
  /** The packaged program, as a path that this process uses. */
  program: string;
  version: string;
  force: boolean;
}

export type Prepared = Awaited<ReturnType<typeof prepare>>;

/** Changes nothing. Throws a CliError if something that is not ours is in the way. */
export async function prepare(installation: Installation) {
  const { disk, prefix, items, version } = installation;
  const manifest = await readManifest(disk, prefix);
  const folders = await missingFolders(disk, [
    { kind: "folder", what: "folder", path: dirname(manifestPath(prefix)), mode: 0o755 },
    ...items,
  ]);
  const { steps, files } = await fileSteps(installation, manifest?.files ?? {});
  const after: Manifest = {
    version,
    files,
    folders: [...new Set([...(manifest?.folders ?? []), ...folders.map(({ path }) => path)])],
  };
  const all = [...folders, ...steps];
  return {
    steps: all,
    /** The installed version; null if there is none. */
    before: manifest?.version ?? null,
    isDone: all.every(({ act }) => !act) && isSameManifest(manifest, after),
    async carryOut(signal: AbortSignal): Promise<void> {
      const list = manifestPath(prefix);
      const changed = all.filter(({ act }) => act).map(({ path }) => path);
      await requireOwnFolders(disk, [list, ...changed]);
      const write = (content: Manifest) =>
        explained(disk.at(list), () => writeManifest(disk, prefix, content));
      await explained(disk.at("/"), async () => makeFolder(disk.at("/"), 0o755));
      await carryOut(disk, folders, signal);
      // Until all steps are done, both the old and the new content of each file count as ours. What
      // is left as it is does not get the new content.
      const left = steps.filter((step) => step.action === "leave").map(({ path }) => path);
      const written = Object.entries(files).filter(([path]) => !left.includes(path));
      await write({ ...after, files: merged(manifest?.files ?? {}, written) });
      await carryOut(disk, steps, signal);
      await write(after);
    },
  };
}

/** Parents come first. Throws a CliError if something else is at the path of a folder. */
async function missingFolders(disk: Disk, items: readonly Item[]): Promise<Step[]> {
  const steps = new Map<string, Step>();
  const inTheWay = new Set<string>();
  const need = (path: string, what: string) => {
    if (path === "/" || steps.has(path) || disk.isFolder(path)) return;
    need(dirname(path), "folder");
    if (disk.exists(path)) inTheWay.add(path);
    else {
      const act = () => disk.makeFolder(path);
      steps.set(path, { action: "add", what, path, note: null, act });
    }
  };
  for (const { kind, what, path } of items) {
    await explained(disk.at(path), async () => {
      if (kind === "folder") need(path, what);
      else need(dirname(path), "folder");
    });
  }
  const advice =
    inTheWay.size === 1
      ? "manually move it away, because a folder is needed there"
      : "manually move them away, because folders are needed there";
  if (inTheWay.size > 0) throw notOurs(disk, [...inTheWay], advice);
  return [...steps.values()];
}

/** Returns the steps, and what the list of installed files contains after them. */
async function fileSteps(
  { disk, items, program, force }: Installation,
  listed: Files,
): Promise<{ steps: Step[]; files: Files }> {
  const programIdentity = await fileIdentity(program);
  const steps: Step[] = [];
  const files: Files = {};
  const inTheWay: string[] = [];
  let hasFolder = false;
  const want = async (item: FileLike) => {
    const { path, what } = item;
    const found = await explained(disk.at(path), () => disk.find(path));
    const wanted = identityOf(item, programIdentity);
    const ours = listed[path] ?? [];
    files[path] = [wanted];
    const decided = decide(item, wanted, found, ours, force);
    if (decided === null) {
      inTheWay.push(path);
      hasFolder ||= found?.identity === folderIdentity;
      return;
    }
    const [action, note = null] = decided;
    const isChange = action === "add" || action === "update";
    const act = isChange ? () => put(disk, item, program) : undefined;
    steps.push({ action, what, path, note, act });
    if (item.kind !== "file" || action !== "leave") return;
    // A new default is written once. If the administrator deletes it, it is not written again.
    const beside: FileLike = { ...item, path: `${path}.new`, isConfiguration: false };
    const isThere = (await disk.find(beside.path))?.identity === wanted;
    if (isThere || !ours.includes(wanted)) await want(beside);
  };
  for (const item of items) if (item.kind !== "folder") await want(item);
  if (inTheWay.length > 0) {
    const advice = hasFolder ? "manually move the folders away" : "--force replaces what exists";
    throw notOurs(disk, inTheWay, advice);
  }
  for (const [path, identities] of Object.entries(listed)) {
    if (!(path in files)) steps.push(...(await obsolete(disk, path, identities)));
  }
  return { steps, files };
}

/** `ours` is what earlier installations wrote there. Returns null if something else is there. */
function decide(
  item: FileLike,
  wanted: Identity,
  found: Found | null,
  ours: readonly Identity[],
  force: boolean,
): [action: "add" | "update" | "keep" | "leave", note?: string] | null {
  if (found === null) return ["add"];
  const isConfiguration = item.kind === "file" && item.isConfiguration === true;
  if (found.identity === wanted) {
    const isRight = isConfiguration || item.kind === "link" || found.mode === item.mode;
    return isRight ? ["keep"] : ["update", "its mode"];
  }
  if (ours.includes(found.identity)) return ["update"];
  if (isConfiguration && found.identity.startsWith("sha256:")) {
    return ["leave", "changed here, so it is kept"];
  }
  // A file never replaces a folder, not even with --force.
  if (!force || found.identity === folderIdentity) return null;
  return ["update", "was not installed by this program"];
}

async function obsolete(disk: Disk, path: string, identities: Identity[]): Promise<Step[]> {
  const found = await explained(disk.at(path), () => disk.find(path));
  if (found === null) return [];
  if (!identities.includes(found.identity)) {
    return [{ action: "leave", what: "old", path, note: "changed here" }];
  }
  const note = "no longer part of the installation";
  return [{ action: "remove", what: "old", path, note, act: () => disk.remove(path) }];
}

function put(disk: Disk, item: FileLike, program: string): Promise<void> {
  if (item.kind === "program") return disk.copy(program, item.path, item.mode);
  if (item.kind === "link") return disk.link(item.path, item.target);
  return disk.write(item.path, item.content, item.mode);
}

function identityOf(item: FileLike, programIdentity: Identity): Identity {
  if (item.kind === "file") return textIdentity(item.content);
  return item.kind === "link" ? linkIdentity(item.target) : programIdentity;
}

function merged(before: Files, after: [path: string, identities: Identity[]][]): Files {
  const files = { ...before };
  for (const [path, identities] of after) {
    files[path] = [...new Set([...(files[path] ?? []), ...identities])];
  }
  return files;
}

function notOurs(disk: Disk, paths: readonly string[], advice: string): CliError {
  const named = paths.map((path) => disk.at(path)).join(", ");
  const message =
    paths.length === 1
      ? `${named} already exists, and was not installed by this program. Check what it is; ${advice}.`
      : `${named} already exist, and were not installed by this program. Check what they are; ${advice}.`;
  return new CliError(exit.conflict, message, { code: "IN_THE_WAY", details: { paths } });
}
