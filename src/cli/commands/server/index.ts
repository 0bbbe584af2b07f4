import type { CommandSpec, OptionSpec } from "../../command.ts";
import { fileOption, option, timeout } from "../../options.ts";
import { serverFlags } from "../../server-flags.ts";

const database: OptionSpec = fileOption("--file <file>", "the database");
const auditKey: OptionSpec = fileOption("--audit-key <file>", "the key of the file's audit chain");
/** This program runs these commands in child processes. */
const inChild = { server: true, endsItself: true, hidden: true, output: true } as const;

export const server = (): CommandSpec[] => [
  {
    name: "serve",
    summary: "Run the server",
    server: true,
    endsItself: true,
    options: serverFlags,
    examples: ["serve", "serve --host 0.0.0.0 --port 8080 --data-dir /var/lib/platform"],
    run: async () => (await import("./serve.ts")).runServer,
  },
  {
    name: "config",
    summary: "Show the settings of serve, and where each comes from",
    server: true,
    options: serverFlags,
    output: "rows",
    examples: ["config", "config --data-dir /var/lib/platform -o json"],
    run: async () => (await import("./config.ts")).showConfig,
  },
  {
    name: "ready",
    summary: "Wait until this host's server is ready; for units and scripts that start a server",
    server: true,
    options: [
      ...serverFlags.filter(({ variable }) => !variable.startsWith("LOG_")),
      timeout,
      option("--pid <process>", "give up when this process has exited", { kind: "integer" }),
    ],
    examples: ["ready", "ready --port 9000 --timeout 30s"],
    run: async () => (await import("./ready.ts")).awaitReady,
  },
  {
    name: "walk-trail",
    summary: "Verify the audit chain of a database, even while it is in use",
    ...inChild,
    options: [
      { ...database, summary: "the database file; by default PLATFORM_DATABASE_URL" },
      auditKey,
      option("--incremental", "begin after the place where the last verification ended"),
    ],
    run: async () => (await import("./database-work.ts")).walkTrailOfFile,
  },
  {
    name: "read-database",
    summary: "Answer the read requests of a server",
    ...inChild,
    options: [database],
    run: async () => (await import("./database-work.ts")).readDatabaseFile,
  },
  {
    name: "copy-database",
    summary: "Copy a database file, even while it is in use, and check the copy",
    ...inChild,
    options: [
      { ...database, flags: "--from <file>" },
      fileOption("--to <file>", "the path of the copy"),
      auditKey,
    ],
    run: async () => (await import("./database-work.ts")).copyDatabaseFile,
  },
  {
    name: "check-database",
    summary: "Check that a database file is sound and its audit chain unbroken",
    ...inChild,
    options: [
      database,
      { ...auditKey, summary: "verify the audit chain with this key" },
      option("--deep", "check every page, index and constraint"),
      option("--draft", "no other process uses the file: open it for writing"),
    ],
    run: async () => (await import("./database-work.ts")).checkDatabaseFile,
  },
];
