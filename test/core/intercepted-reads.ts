// Lets a test observe or replace what the use cases read.

import type { Reader } from "../../src/store/database.ts";
import type { TestApp } from "../helpers/app.ts";

/** Replaces methods of every reader that use cases get, except inside transactions. */
export function interceptReads({ app }: TestApp, wrap: (reader: Reader) => Partial<Reader>): void {
  const { db } = app.core;
  const bulkReader = db.bulkReader.bind(db);
  // On SQLite, a small database has only one reader.
  if (db.engine === "postgresql") {
    db.bulkReader = (...given) => {
      const reader = bulkReader(...given);
      return { ...reader, ...wrap(reader) };
    };
  }
  Object.assign(db.read, wrap({ ...db.read }));
}
