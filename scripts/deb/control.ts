// The control files of the Debian package (deb-control(5), deb-conffiles(5)).

import { createHash } from "node:crypto";
import type { Entry } from "./tree.ts";

export interface Description {
  /** The program's semantic version. */
  version: string;
  /** Debian's name: `amd64`. */
  architecture: string;
  /** `Name <address>`. */
  maintainer: string;
  installedKiB: number;
}

/** Node.js and the native module of better-sqlite3 are linked against these packages. */
const needs = ["libc6 (>= 2.34)", "libgcc-s1", "libstdc++6 (>= 11)", "passwd"];

export function controlFile(about: Description): string {
  const { version, architecture, maintainer, installedKiB } = about;
  return `Package: platform
Version: ${debianVersion(version)}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${installedKiB}
Depends: ${needs.join(", ")}
Section: admin
Priority: optional
Description: agent management service
 Programs called agents run next to managed services: they register, say that
 they are alive, report, and fetch commands. Operators see every service and
 run its actions, over HTTP or on the command line (platformctl).
 .
 The one program is the server, the command line and the agent, with an
 embedded database.
`;
}

/** dpkg considers `1.2.0~rc.1` older than `1.2.0`. */
export function debianVersion(version: string): string {
  const debian = version.replace("-", "~").replaceAll("-", ".");
  if (/^\d[\w.+~]*$/.test(debian)) return debian;
  throw new Error(`${version} cannot be the version of a Debian package`);
}

/** Without `~`, because GitHub replaces it in the names of a release's files. */
export function fileNameOf(version: string, architecture: string): string {
  return `platform_${debianVersion(version).replace("~", "-")}_${architecture}.deb`;
}

/** Lists the files that belong to the administrator after the installation. */
export function conffiles(tree: readonly Entry[]): string {
  const own = tree.filter((entry) => entry.kind === "file" && entry.isConfiguration);
  return own.map(({ path }) => `${path}\n`).join("");
}

/** Makes the checksums for `dpkg --verify`. The administrator's files have none. */
export function md5sums(tree: readonly Entry[], program: Buffer): string {
  const lines = tree.flatMap((entry) => {
    if (entry.kind === "program") return [`${md5(program)}  ${entry.path.slice(1)}\n`];
    if (entry.kind !== "file" || entry.isConfiguration) return [];
    return [`${md5(entry.content)}  ${entry.path.slice(1)}\n`];
  });
  return lines.join("");
}

/** Debian's policy counts files in whole KiB, and each link and folder as 1 KiB. */
export function installedKiB(tree: readonly Entry[], program: Buffer): number {
  const sizes = tree.map((entry): number => {
    if (entry.kind === "program") return program.length;
    return entry.kind === "file" ? entry.content.length : 1;
  });
  return sizes.reduce((sum, bytes) => sum + Math.ceil(bytes / 1024), 0);
}

function md5(content: Buffer): string {
  return createHash("md5").update(content).digest("hex");
}
