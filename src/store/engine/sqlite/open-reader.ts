// Opens a database only to read it, while other processes use it.

import type { Place } from "../../../domain/storage/place.ts";
import type { OpenedReader } from "../../database.ts";
import { openReader } from "./file.ts";
import { readerOf } from "./statements.ts";

/** Throws if the database cannot be opened: AppError UNAVAILABLE, or SQLite's own error. */
export async function openReaderOf(place: Place): Promise<OpenedReader> {
  if (place.kind === "postgresql") {
    const { openPostgresReader } = await import("../postgresql/open-reader.ts");
    return openPostgresReader(place.url);
  }
  const connection = openReader(place.file);
  return { read: readerOf(connection), close: async () => void connection.close() };
}
