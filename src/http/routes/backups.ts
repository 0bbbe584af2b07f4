// Binds the routes of api/backups.ts to their use cases.

import type { backups } from "../../api/backups.ts";
import { createBackup } from "../../core/system/backups.ts";
import type { HandlersOf } from "../dispatch.ts";

export const backupHandlers: HandlersOf<typeof backups> = {
  "backup.create": (ctx) => createBackup(ctx),
};
