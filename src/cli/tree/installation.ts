// `platform install` and `uninstall`: the packaged program on a host.

import type { CommandSpec, OptionSpec } from "../command.ts";
import { yes } from "./parts.ts";

const places: OptionSpec[] = [
  {
    flags: "--prefix <folder>",
    summary: "where programs go: into bin, lib and share there",
    default: "/usr/local",
    completes: "file",
  },
  {
    flags: "--root <folder>",
    summary: "take this folder for the root of the host: for making a package or an image",
    completes: "file",
  },
];
const dryRun: OptionSpec = { flags: "--dry-run", summary: "only show what would be done" };

export const installation: CommandSpec[] = [
  {
    name: "install",
    summary: "Install this file on the host, with units, settings, completions and man pages",
    server: true,
    output: "rows",
    options: [
      ...places,
      { flags: "-f, --force", summary: "replace what is in the way and is not ours" },
      dryRun,
    ],
    examples: ["install --dry-run", "install", "install --prefix /usr --root package"],
    run: async () => (await import("../commands/host/install.ts")).install,
  },
  {
    name: "uninstall",
    summary: "Remove what install has laid; data and changed settings stay",
    server: true,
    output: "rows",
    options: [
      ...places,
      { flags: "--purge", summary: "remove settings and other files of it too that were changed" },
      dryRun,
      yes,
    ],
    examples: ["uninstall --dry-run", "uninstall"],
    run: async () => (await import("../commands/host/uninstall.ts")).uninstall,
  },
];
