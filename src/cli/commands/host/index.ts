// Commands for the host of a server: the database (`backup`, `restore`, `migrate`, `doctor`), and the packaged
// program (`install`, `uninstall`).

import type { CommandSpec, OptionSpec } from "../../command.ts";
import { databaseFlag, dataDirFlag, placeFlags } from "../../connecting/database-place.ts";
import { yes } from "../../options.ts";
import { serverFlags } from "../../server-flags.ts";

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

export const host: CommandSpec[] = [
  {
    name: "backup",
    summary: "Write a checked copy of the database to a file, while it is in use or not",
    server: true,
    target: true,
    output: true,
    args: [{ name: "<file>", summary: "where it goes; - for standard output", completes: "file" }],
    options: [{ flags: "-f, --force", summary: "write over a file that is there" }, ...dataDirFlag],
    examples: [
      "backup platform-monday.db",
      "backup --data-dir /var/lib/platform /mnt/backups/platform.db --force",
      "backup --server https://agents.example.com - | age -r … > platform.db.age",
    ],
    run: async () => (await import("./backup.ts")).createBackup,
  },
  {
    name: "restore",
    summary: "Put a backup in the place of the database, after it was checked",
    server: true,
    output: true,
    args: [{ name: "<file>", summary: "what platform backup has written", completes: "file" }],
    options: [
      ...placeFlags,
      { flags: "--dry-run", summary: "only check, and tell what would be replaced" },
      { flags: "--migrate", summary: "bring it up to date now, rather than at the next start" },
      { flags: "--sha256 <digest>", summary: "what its SHA-256 must be; else as FILE.sha256 says" },
      {
        flags: "--unverified",
        summary: "also when its digest, schema, audit trail or rows do not fit",
      },
      yes,
    ],
    examples: [
      "restore platform-monday.db --data-dir /var/lib/platform --dry-run",
      "restore platform-monday.db --data-dir /var/lib/platform",
    ],
    run: async () => (await import("./restore.ts")).restoreDatabase,
  },
  {
    name: "migrate",
    summary: "Bring the schema up to date without starting the server, after a copy was made",
    server: true,
    output: true,
    options: [
      ...placeFlags,
      { flags: "--status", summary: "only show what is applied, and what not" },
    ],
    examples: ["migrate --status", "migrate --data-dir /var/lib/platform"],
    run: async () => (await import("./migrate.ts")).migrateDatabase,
  },
  {
    name: "doctor",
    summary: "Look whether everything that the server needs is in order, and say what to do",
    server: true,
    output: true,
    options: [
      ...serverFlags,
      databaseFlag,
      { flags: "--deep", summary: "look at every page, index and constraint of the database" },
      { flags: "--server <url>", summary: "where the server is, when not where serve listens" },
      {
        flags: "--ca-file <file>",
        summary: "trust this certificate (PLATFORM_CA_FILE)",
        completes: "file",
      },
    ],
    examples: ["doctor", "doctor --data-dir /var/lib/platform --deep -o json"],
    run: async () => (await import("./doctor.ts")).runDoctor,
  },
  {
    name: "check-database",
    summary: "Look whether a database file is sound and its audit chain unbroken",
    server: true,
    endsItself: true,
    hidden: true,
    output: true,
    options: [
      { flags: "--file <file>", summary: "the database", completes: "file" },
      {
        flags: "--audit-key <file>",
        summary: "walk the audit chain with this key",
        completes: "file",
      },
      { flags: "--deep", summary: "look at every page, index and constraint" },
      { flags: "--draft", summary: "the file is nobody else's: open it for writing" },
    ],
    run: async () => (await import("./check-database.ts")).checkDatabaseFile,
  },
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
    run: async () => (await import("./install.ts")).install,
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
    run: async () => (await import("./uninstall.ts")).uninstall,
  },
];
