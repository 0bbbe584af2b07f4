import type { CommandSpec, OptionSpec } from "../../command.ts";
import { databaseFlag, dataDirFlag, placeFlags } from "../../connecting/database-place.ts";
import { fileOption, option, yes } from "../../options.ts";
import { serverFlags } from "../../server-flags.ts";

const places: OptionSpec[] = [
  option("--prefix <folder>", "use bin, lib and share of this folder", {
    default: "/usr/local",
    completes: "file",
  }),
  fileOption(
    "--root <folder>",
    "use this folder as the host's root, to make a package or an image",
  ),
];
const dryRun: OptionSpec = option("--dry-run", "only show what would be done");

export const host = (): CommandSpec[] => [
  {
    name: "backup",
    summary: "Write a checked copy of the database to a file, even while the database is in use",
    server: true,
    destination: true,
    output: true,
    args: [
      { name: "<file>", summary: "the backup's file; - for standard output", completes: "file" },
    ],
    options: [
      option("-f, --force", "replace an existing file"),
      option(
        "--unverified",
        "make a backup even if the audit trail fails verification; the exit status is then 9",
      ),
      ...dataDirFlag,
    ],
    examples: [
      "backup platform-monday.db",
      "backup --data-dir /var/lib/platform /mnt/backups/platform.db --force",
      "backup --server https://agents.example.com - | age -r … > platform.db.age",
    ],
    run: async () => (await import("./backup.ts")).createBackup,
  },
  {
    name: "restore",
    summary: "Check a backup, and replace the database with it",
    server: true,
    output: true,
    args: [{ name: "<file>", summary: "a file that platform backup wrote", completes: "file" }],
    options: [
      ...placeFlags,
      option("--dry-run", "only check, and report what would be replaced"),
      option("--migrate", "migrate the schema now instead of at the next start"),
      option("--sha256 <digest>", "the backup's expected SHA-256; by default from FILE.sha256"),
      option(
        "--unverified",
        "restore even if the backup's digest, schema, audit trail or rows fail a check",
      ),
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
    summary:
      "Migrate the database's schema without starting the server, and keep a copy of the old database",
    server: true,
    output: true,
    options: [...placeFlags, option("--status", "only show the state of each migration")],
    examples: ["migrate --status", "migrate --data-dir /var/lib/platform"],
    run: async () => (await import("./migrate.ts")).migrateDatabase,
  },
  {
    name: "doctor",
    summary: "Check an installation on its host, and say what to do about each problem",
    server: true,
    output: "rows",
    options: [
      ...serverFlags,
      databaseFlag,
      option("--deep", "check every page, index and constraint of the database"),
      option("--server <url>", "the server's URL, if serve would listen elsewhere"),
      fileOption("--ca-file <file>", "trust this certificate (PLATFORM_CA_FILE)"),
    ],
    examples: ["doctor", "doctor --data-dir /var/lib/platform --deep -o json"],
    run: async () => (await import("./doctor.ts")).runDoctor,
  },
  {
    name: "install",
    summary: "Install this program on the host, with units, settings, completions and man pages",
    server: true,
    output: true,
    options: [
      ...places,
      option("-f, --force", "also replace files that were not installed by this program"),
      dryRun,
    ],
    examples: ["install --dry-run", "install", "install --prefix /usr --root package"],
    run: async () => (await import("./install.ts")).install,
  },
  {
    name: "uninstall",
    summary: "Remove what install added, except data and changed settings",
    server: true,
    output: true,
    options: [
      ...places,
      option("--purge", "also remove settings and other files that were changed"),
      dryRun,
      yes,
    ],
    examples: ["uninstall --dry-run", "uninstall"],
    run: async () => (await import("./uninstall.ts")).uninstall,
  },
];
