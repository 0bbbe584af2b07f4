// Finds other installations on this host, and our units that run or start at boot.

import { readdirSync } from "node:fs";
import type { Disk } from "./disk.ts";

const unitFolders = [
  "/etc/systemd/system",
  "/usr/local/lib/systemd/system",
  "/usr/lib/systemd/system",
  "/lib/systemd/system",
];

/** Returns paths such as `/usr/bin/platform`. All installations share one configuration. */
export async function otherPrograms(disk: Disk, prefix: string): Promise<string[]> {
  const found = new Set<string>();
  for (const folder of unitFolders) {
    const unit = await disk.read(`${folder}/platform.service`).catch(() => null);
    const [, program] = /^ExecStart=(\/\S+)/m.exec(unit ?? "") ?? [];
    if (program && program !== `${prefix}/bin/platform` && disk.exists(program)) {
      found.add(program);
    }
  }
  return [...found].sort();
}

export function unitsInUse(disk: Disk): string[] {
  const enabled = disk.at("/etc/systemd/system");
  const wanting = namesIn(enabled).filter((name) => /\.(wants|requires)$/.test(name));
  // A running unit has a control group (version 2 or 1). Units of a template have their own slice.
  const slices = ["/sys/fs/cgroup", "/sys/fs/cgroup/systemd"].flatMap((groups) => {
    const slice = disk.at(`${groups}/system.slice`);
    return [slice, `${slice}/system-platform\\x2dagent.slice`];
  });
  const names = [...wanting.map((name) => `${enabled}/${name}`), ...slices].flatMap(namesIn);
  const own = names.filter((name) => /^platform(-agent@.+)?\.service$/.test(name));
  return [...new Set(own)].sort();
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
