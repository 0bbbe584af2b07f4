// Decides what an installation does at each path, from what shall lie there, what lies there, and what we
// have laid before. Nothing is read or written here.

import { dirname } from "node:path";
import { folderIdentity, type Identity, linkIdentity, type Seen, textIdentity } from "./disk.ts";
import type { Laid, LaidFile } from "./layout.ts";
import type { Manifest } from "./manifest.ts";

export type Action =
  /** Nothing was there. */
  | "add"
  /** Ours, as an older version has laid it. */
  | "update"
  /** It is as it shall be. */
  | "keep"
  /** Ours, of an older version that had more. */
  | "remove"
  /** Changed by the administrator, whose it is. */
  | "leave";

export interface Step {
  action: Action;
  path: string;
  what: string;
  /** What comes there; null for what is removed or left. */
  laid: Laid | null;
  note: string | null;
}

export interface Plan {
  steps: Step[];
  /** What is in the way, and was not laid by us. */
  strangers: string[];
  /** While it is under way. */
  during: Manifest;
  /** When it has ended. */
  after: Manifest;
}

export interface Situation {
  /** What shall lie there; of the program, `programIdentity`. */
  wanted: readonly Laid[];
  programIdentity: Identity;
  version: string;
  /** What lies at each path that is wanted, of its parents, and at each of the manifest. */
  seen: (path: string) => Seen | null;
  manifest: Manifest | null;
  /** What is in the way is replaced. */
  force: boolean;
}

/** Where a new default goes when the file was changed. */
export function besidePath(path: string): string {
  return `${path}.new`;
}

export function plan(situation: Situation): Plan {
  const { manifest, seen, version } = situation;
  const own = manifest?.files ?? {};
  const folders = missingFolders(situation);
  const steps: Step[] = folders.map((path) => folderStep(path, situation));
  const strangers: string[] = [];
  const after: Manifest = {
    version,
    files: {},
    folders: [...new Set([...(manifest?.folders ?? []), ...folders])],
  };
  for (const laid of situation.wanted) {
    if (laid.kind === "folder") {
      const there = seen(laid.path);
      if (there && !isFolder(there)) strangers.push(laid.path);
      continue;
    }
    const placed = stepFor(laid, situation);
    if (placed === null) strangers.push(laid.path);
    else steps.push(...placed);
    after.files[laid.path] = [identityOf(laid, situation)];
  }
  for (const { laid } of steps) {
    if (laid && laid.kind !== "folder") after.files[laid.path] = [identityOf(laid, situation)];
  }
  for (const [path, identities] of Object.entries(own)) {
    if (!(path in after.files)) steps.push(...obsolete(path, identities, seen(path)));
  }
  return { steps, strangers, after, during: both(manifest, after) };
}

/** Null when something is in the way. */
function stepFor(laid: Exclude<Laid, { kind: "folder" }>, situation: Situation): Step[] | null {
  const { path, what } = laid;
  const there = situation.seen(path);
  const wanted = identityOf(laid, situation);
  const step = (action: Action, note: string | null = null) => ({ action, path, what, laid, note });
  if (there === null) return [step("add")];
  const isConfiguration = laid.kind === "file" && laid.isConfiguration === true;
  if (there.identity === wanted) {
    const isRight = isConfiguration || laid.kind === "link" || there.mode === laid.mode;
    return [step(isRight ? "keep" : "update", isRight ? null : "its mode")];
  }
  if (situation.manifest?.files[path]?.includes(there.identity)) return [step("update")];
  if (isConfiguration && isFile(there)) {
    const left: Step = { ...step("leave", "changed here: it is yours"), laid: null };
    const beside = newOneBeside(laid, situation);
    return beside && [left, ...beside];
  }
  // A folder is not replaced by a file, whoever asks for it.
  return situation.force && there.identity !== folderIdentity
    ? [step("update", "was not ours")]
    : null;
}

/** A new default is shown once; whoever has read it may delete it. */
function newOneBeside(laid: LaidFile, situation: Situation): Step[] | null {
  const { isConfiguration: _, ...beside } = { ...laid, path: besidePath(laid.path) };
  const wanted = identityOf(beside, situation);
  const wasShown = situation.manifest?.files[laid.path]?.includes(wanted) ?? false;
  if (wasShown && situation.seen(beside.path)?.identity !== wanted) return [];
  return stepFor(beside, situation);
}

function obsolete(path: string, identities: readonly Identity[], there: Seen | null): Step[] {
  if (there === null) return [];
  const isOurs = identities.includes(there.identity);
  const note = isOurs ? "no longer a part of it" : "changed here";
  return [{ action: isOurs ? "remove" : "leave", path, what: "old", laid: null, note }];
}

function folderStep(path: string, { wanted }: Situation): Step {
  const named = wanted.find((laid) => laid.kind === "folder" && laid.path === path);
  const laid = named ?? { kind: "folder", what: "folder", path, mode: 0o755 };
  return { action: "add", path, what: laid.what, laid, note: null };
}

/** Those that are not there, each after the one that it is in. */
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

function identityOf(laid: Laid, { programIdentity }: Situation): Identity {
  if (laid.kind === "program") return programIdentity;
  if (laid.kind === "link") return linkIdentity(laid.target);
  return laid.kind === "folder" ? folderIdentity : textIdentity(laid.content);
}

/** An administrator may have put it elsewhere, and a link in its place. */
function isFolder({ identity, leadsToFolder }: Seen): boolean {
  return identity === folderIdentity || leadsToFolder === true;
}

function isFile({ identity }: Seen): boolean {
  return identity.startsWith("sha256:");
}

function both(before: Manifest | null, after: Manifest): Manifest {
  const files = { ...before?.files };
  for (const [path, identities] of Object.entries(after.files)) {
    files[path] = [...new Set([...(files[path] ?? []), ...identities])];
  }
  return { ...after, files };
}
