// Decides what an installation does at each path. Reads and writes nothing.

import { dirname } from "node:path";
import { folderIdentity, type Identity, linkIdentity, type Seen, textIdentity } from "./disk.ts";
import type { FileItem, Item } from "./layout.ts";
import type { Manifest } from "./manifest.ts";

export type Action =
  | "add"
  | "update"
  | "keep"
  | "remove"
  /** For a file that the administrator has changed. */
  | "leave";

export interface Step {
  action: Action;
  path: string;
  what: string;
  /** What to install; null to remove or leave what exists. */
  item: Item | null;
  note: string | null;
}

export interface Plan {
  steps: Step[];
  /** Paths where something exists that we did not install. */
  strangers: string[];
  /** Written before the changes, with the old and the new content of each file. */
  during: Manifest;
  after: Manifest;
}

interface Situation {
  wanted: readonly Item[];
  programIdentity: Identity;
  version: string;
  /** What exists at each wanted path, at its parents, and at each path of the manifest. */
  seen: (path: string) => Seen | null;
  manifest: Manifest | null;
  force: boolean;
}

/** Returns where a new default goes if the file was changed. */
export function besidePath(path: string): string {
  return `${path}.new`;
}

export function plan(situation: Situation): Plan {
  const { manifest, seen, version } = situation;
  const folders = missingFolders(situation);
  const steps: Step[] = folders.map((path) => folderStep(path, situation));
  const strangers: string[] = [];
  const after: Manifest = {
    version,
    files: {},
    folders: [...new Set([...(manifest?.folders ?? []), ...folders])],
  };
  for (const item of situation.wanted) {
    if (item.kind === "folder") {
      const found = seen(item.path);
      if (found && !isFolder(found)) strangers.push(item.path);
      continue;
    }
    const placed = stepsFor(item, situation);
    if (placed === null) strangers.push(item.path);
    else steps.push(...placed);
    after.files[item.path] = [identityOf(item, situation)];
  }
  for (const { item } of steps) {
    if (item && item.kind !== "folder") after.files[item.path] = [identityOf(item, situation)];
  }
  for (const [path, identities] of Object.entries(manifest?.files ?? {})) {
    if (!(path in after.files)) steps.push(...obsolete(path, identities, seen(path)));
  }
  return { steps, strangers, after, during: both(manifest, after) };
}

/** Returns null if something is in the way. */
function stepsFor(item: Item, situation: Situation): Step[] | null {
  const { path, what } = item;
  const found = situation.seen(path);
  const wanted = identityOf(item, situation);
  const step = (action: Action, note: string | null = null) => ({ action, path, what, item, note });
  if (found === null) return [step("add")];
  const isConfiguration = item.kind === "file" && item.isConfiguration === true;
  if (found.identity === wanted) {
    const isRight = isConfiguration || item.kind === "link" || found.mode === item.mode;
    return [isRight ? step("keep") : step("update", "its mode")];
  }
  if (situation.manifest?.files[path]?.includes(found.identity)) return [step("update")];
  if (isConfiguration && found.identity.startsWith("sha256:")) {
    const left: Step = { ...step("leave", "changed here, so it is kept"), item: null };
    const beside = newOneBeside(item, situation);
    return beside && [left, ...beside];
  }
  // A file never replaces a folder, not even with --force.
  return situation.force && found.identity !== folderIdentity
    ? [step("update", "was not installed by this program")]
    : null;
}

/** Writes a new default once. If the administrator deletes it, it is not written again. */
function newOneBeside(item: FileItem, situation: Situation): Step[] | null {
  const { isConfiguration: _, ...beside } = { ...item, path: besidePath(item.path) };
  const wanted = identityOf(beside, situation);
  const wasWritten = situation.manifest?.files[item.path]?.includes(wanted) ?? false;
  if (wasWritten && situation.seen(beside.path)?.identity !== wanted) return [];
  return stepsFor(beside, situation);
}

function obsolete(path: string, identities: readonly Identity[], found: Seen | null): Step[] {
  if (found === null) return [];
  const step = { path, what: "old", item: null };
  return identities.includes(found.identity)
    ? [{ ...step, action: "remove", note: "no longer part of the installation" }]
    : [{ ...step, action: "leave", note: "changed here" }];
}

function folderStep(path: string, { wanted }: Situation): Step {
  const named = wanted.find((item) => item.kind === "folder" && item.path === path);
  const item = named ?? { kind: "folder", what: "folder", path, mode: 0o755 };
  return { action: "add", path, what: item.what, item, note: null };
}

/** Parents come first. */
function missingFolders({ wanted, seen }: Situation): string[] {
  const missing = new Set<string>();
  const need = (folder: string) => {
    if (folder === "/" || missing.has(folder) || seen(folder) !== null) return;
    need(dirname(folder));
    missing.add(folder);
  };
  for (const { kind, path } of wanted) need(kind === "folder" ? path : dirname(path));
  return [...missing];
}

function identityOf(item: Item, { programIdentity }: Situation): Identity {
  if (item.kind === "file") return textIdentity(item.content);
  if (item.kind === "link") return linkIdentity(item.target);
  return item.kind === "program" ? programIdentity : folderIdentity;
}

/** Also accepts a link to a folder, because an administrator may have moved the folder. */
function isFolder({ identity, leadsToFolder }: Seen): boolean {
  return identity === folderIdentity || leadsToFolder === true;
}

function both(before: Manifest | null, after: Manifest): Manifest {
  const files = { ...before?.files };
  for (const [path, identities] of Object.entries(after.files)) {
    files[path] = [...new Set([...(files[path] ?? []), ...identities])];
  }
  return { ...after, files };
}
