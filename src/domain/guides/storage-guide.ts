// What to do about the reasons in the output of `platformctl health`. docs/guides/health.md has
// more details.

import type { StorageReason } from "../storage/failures.ts";

export const storageRemedies: Readonly<Record<StorageReason, string>> = {
  FILE_MISSING:
    "Put back what the server's log names. If it is gone, stop the server and restore a backup.",
  FILE_REPLACED: "Move the original back, or restart the server to use the new file.",
  DISK_FULL: "Free up space on the disk. Writes then succeed again within seconds.",
  READ_ONLY: "Check the kernel's log, and make the file system and the file writable again.",
  LOCKED:
    "End the other process. With SQLite, `fuser platform.db` shows which processes have it open. With " +
    "PostgreSQL, also check the load of the database server.",
  DAMAGED:
    "Check the kernel's log, and run `platform doctor --deep`. If the file is damaged, restore a backup.",
  IO_ERROR:
    "Check the kernel's log, and run `platform doctor --deep`. If the file is damaged, restore a backup.",
  MOVED: "Stop this server, and start a server on the other database.",
  UNREACHABLE:
    "Check PostgreSQL and the network, and that the URL leads to the primary, not to a replica. The " +
    "server reconnects by itself when the primary responds again.",
  DATA_LOST:
    "Check what is missing. Then, as an owner, run `platformctl maintenance accept-data-loss`.",
  AUDIT_BROKEN:
    "Run `platformctl audit verify`, and follow the guide `platform docs guides/audit`.",
};
