import type { CommandSpec } from "../../command.ts";
import { placeFlags } from "../../connecting/database-place.ts";
import { fileOption, option, yes } from "../../options.ts";

export const db = (): CommandSpec[] => [
  {
    name: "db move",
    summary: "Move all data to another database: from SQLite to PostgreSQL, or back",
    server: true,
    output: true,
    options: [
      fileOption("--from <database>", "the database to move: a file, or postgres://…"),
      fileOption("--to <database>", "the target: an empty database, or a file that does not exist"),
      option("--unverified", "move the audit trail even if it fails verification"),
    ],
    examples: [
      "db move --from data/platform.db --to postgres://platform@db.example.com/platform",
      "db move --from postgres://platform@db.example.com/platform --to new/platform.db",
    ],
    run: async () => (await import("./move.ts")).moveAll,
  },
  {
    name: "db reactivate",
    summary: "Undo a move: let servers use the old database again, instead of the new one",
    server: true,
    options: [...placeFlags, yes],
    examples: ["db reactivate --db data/platform.db"],
    run: async () => (await import("./reactivate.ts")).reactivateDatabase,
  },
];
