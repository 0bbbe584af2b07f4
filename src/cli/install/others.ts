// What else of ours is on the host, and in use: an installation below another prefix, and units that run or
// will run.

import { readdirSync } from "node:fs";
import type { Disk } from "./disk.ts";

const unitFolders = [
  "/etc/systemd/system",
  "/usr/local/lib/systemd/system",
  "/usr/lib/systemd/system",
  "/lib/systemd/system",
];

/**
 * The programs of installations below other prefixes, by their units: `/usr/bin/platform`. They share the
 * folder of configuration with this one.
 */
export async function otherPrograms(disk: Disk, prefix: string): Promise<string[]> {
  const found = new Set<string>();
  for (const folder of unitFolders) {
    const unit = await disk.read(`${folder}/platform.service`).catch(() => null);
    const [, program] = /^ExecStart=(\/\S+)/m.exec(unit ?? "") ?? [];
    if (program && program !== `${prefix}/bin/platform` && (await disk.see(program))) {
      found.add(program);
    }
  }
  return [...found].sort();
}

/** Units of ours that start with the host, or run: `platform.service`. */
export function unitsInUse(disk: Disk): string[] {
  const found = new Set<string>();
  for (const folder of [...foldersOfEnabled(disk), ...foldersOfRunning(disk)]) {
    for (const unit of namesIn(folder)) {
      if (/^platform(-agent@.+)?\.service$/.test(unit)) found.add(unit);
    }
  }
  return [...found].sort();
}

function foldersOfEnabled(disk: Disk): string[] {
  const folder = disk.at("/etc/systemd/system");
  const wanting = namesIn(folder).filter((name) => /\.(wants|requires)$/.test(name));
  return wanting.map((name) => `${folder}/${name}`);
}

/** A unit has a control group while it runs: in the second version of them, or in the first. */
function foldersOfRunning(disk: Disk): string[] {
  return ["/sys/fs/cgroup", "/sys/fs/cgroup/systemd"].flatMap((groups) => {
    const slice = disk.at(`${groups}/system.slice`);
    // Those of a template have a slice of their own there.
    return [slice, `${slice}/system-platform\\x2dagent.slice`];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
