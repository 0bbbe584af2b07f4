import { beforeEach } from "vitest";
import { isChosen } from "./postgres-app.ts";

/** For a file or a `describe` about the SQLite file itself. Its tests are skipped on PostgreSQL. */
export function sqliteOnly(reason: string): void {
  beforeEach(({ skip }) => skip(isChosen(), `SQLite only: ${reason}`));
}
