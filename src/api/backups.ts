import { z } from "zod";
import { backupSeconds } from "../domain/limits.ts";
import { defineRoutes } from "./contract/define-routes.ts";
import { flagQuery } from "./contract/schemas.ts";

export const backups = defineRoutes({
  "backup.create": {
    method: "POST",
    changesNothing: true,
    path: "/api/admin/backup",
    access: "owner",
    summary: "Create a backup of the whole database as one file",
    description:
      "The backup contains every change that was confirmed before this request. Before the " +
      "server sends the first byte, it checks that the file is intact, and verifies the " +
      "audit trail in it. Only one backup can be created or downloaded at a time: other " +
      "requests get `429`. The key files next to the database are not included. A server on " +
      "PostgreSQL responds with `501` and the PostgreSQL command that makes a backup.",
    query: z.object({
      unverified: flagQuery.describe(
        "Send the backup even if its audit trail fails verification. The response then has " +
          "an `Audit-Problem` header.",
      ),
    }),
    reply: z.never(),
    produces: ["application/vnd.sqlite3"],
    headers: {
      "Content-Length": "The size of the copy in bytes.",
      "Repr-Digest": "The SHA-256 of the copy (RFC 9530).",
      "Content-Disposition": "A file name for the copy.",
      "Audit-Problem": "Why the copy's audit trail fails verification. Absent if it passes.",
    },
    slowSeconds: backupSeconds.client,
    errors: ["RATE_LIMITED", "NOT_SUPPORTED"],
  },
});
