// A copy of the database, for the day that it is needed.

import { z } from "zod";
import { backupSeconds } from "../domain/limits.ts";
import { defineRoutes } from "./contract/route.ts";

export const backups = defineRoutes({
  "backup.create": {
    method: "POST",
    path: "/api/admin/backup",
    access: "owner",
    summary: "Make a backup: the whole database as one file",
    description:
      "The copy holds all that was answered before this call. It is checked before its first byte is " +
      "sent: sound, and its audit chain unbroken. One at a time: `429` while another is made or " +
      "read. The keys that lie beside the database are not in it.",
    reply: z.never(),
    produces: ["application/vnd.sqlite3"],
    headers: {
      "Content-Length": "The size of the copy in bytes.",
      "Repr-Digest": "The SHA-256 of the copy (RFC 9530).",
      "Content-Disposition": "A name to save it under.",
    },
    slowSeconds: backupSeconds.making,
    errors: ["RATE_LIMITED"],
  },
});
