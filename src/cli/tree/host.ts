// Commands of whoever keeps the database: they work where it lies, or ask its server for a copy.

import type { CommandSpec } from "../command.ts";
import { dataDirFlag } from "../database-place.ts";

export const host: CommandSpec[] = [
  {
    name: "backup",
    summary: "Write a checked copy of the database to a file, while it is in use or not",
    server: true,
    target: true,
    output: true,
    args: [{ name: "<file>", summary: "where it goes; - for standard output" }],
    options: [{ flags: "-f, --force", summary: "write over a file that is there" }, ...dataDirFlag],
    examples: [
      "backup platform-monday.db",
      "backup --data-dir /var/lib/platform /mnt/backups/platform.db --force",
      "backup --server https://agents.example.com - | age -r … > platform.db.age",
    ],
    run: async () => (await import("../commands/backup.ts")).createBackup,
  },
  {
    name: "check-database",
    summary: "Look whether a database file is sound and its audit chain unbroken",
    server: true,
    endsItself: true,
    hidden: true,
    output: true,
    options: [
      { flags: "--file <file>", summary: "the database" },
      { flags: "--audit-key <file>", summary: "walk the audit chain with this key" },
      { flags: "--deep", summary: "look at every page, index and constraint" },
      { flags: "--draft", summary: "the file is nobody else's: open it for writing" },
    ],
    run: async () => (await import("../commands/check-database.ts")).checkDatabaseFile,
  },
];
