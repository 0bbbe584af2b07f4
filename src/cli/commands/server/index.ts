// `platform serve` and what goes with it: the commands of whoever runs the server.

import type { CommandSpec } from "../../command.ts";
import { timeout } from "../../options.ts";
import { serverFlags } from "../../server-flags.ts";

export const server: CommandSpec[] = [
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
    summary: "Show the settings that serve would run with, and where each comes from",
    server: true,
    options: serverFlags,
    output: true,
    examples: ["config", "config --data-dir /var/lib/platform -o json"],
    run: async () => (await import("./config.ts")).showConfig,
  },
  {
    name: "ready",
    summary: "Wait until the server of this host may be given work: for what starts it",
    server: true,
    options: [
      ...serverFlags.filter(({ variable }) => !variable.startsWith("LOG_")),
      timeout,
      { flags: "--pid <process>", summary: "give up when this process has ended", kind: "integer" },
    ],
    examples: ["ready", "ready --port 9000 --timeout 30s"],
    run: async () => (await import("./ready.ts")).awaitReady,
  },
  {
    name: "walk-trail",
    summary: "Walk the audit chain of a database file that may be in use",
    server: true,
    endsItself: true,
    hidden: true,
    output: true,
    options: [
      { flags: "--file <file>", summary: "the database", completes: "file" },
      {
        flags: "--audit-key <file>",
        summary: "the key that its audit chain was made with",
        completes: "file",
      },
    ],
    run: async () => (await import("./walk-trail.ts")).walkTrailOfFile,
  },
  {
    name: "copy-database",
    summary: "Copy a database file that may be in use, and check the copy",
    server: true,
    endsItself: true,
    hidden: true,
    output: true,
    options: [
      { flags: "--from <file>", summary: "the database", completes: "file" },
      { flags: "--to <file>", summary: "where the copy goes", completes: "file" },
      {
        flags: "--audit-key <file>",
        summary: "the key that its audit chain was made with",
        completes: "file",
      },
    ],
    run: async () => (await import("./copy-database.ts")).copyDatabaseFile,
  },
];
