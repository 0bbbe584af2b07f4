// Tests which user root becomes when the database is PostgreSQL: the owner of the keys, or of the
// data folder if the keys are root's.

import { chownSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { hasPostgres } from "../helpers/postgres.ts";
import { emptyCluster } from "../helpers/postgres-cluster.ts";
import { startServer } from "../helpers/process/process.ts";
import { asRoot, gid, giveAway, uid } from "../helpers/programs/as-root.ts";

describe.skipIf(!hasPostgres)("on PostgreSQL", () => {
  asRoot("the server runs as the owner of the keys, and so does its data folder", async () => {
    const { env } = await emptyCluster();
    const keys = dirname(env.PLATFORM_AUDIT_KEY_FILE ?? "");
    giveAway(keys);
    const server = await startServer({ firstStart: true, dataDir: join(keys, "data"), env });
    expect(idsOf(server.pid)).toEqual([uid, gid]);
    expect(statSync(server.dataDir)).toMatchObject({ uid, gid });
    expect((await server.stop()).status).toBe(0);
  });

  asRoot(
    "root becomes the owner of the data folder if the keys are root's, which that user must be able to read",
    async () => {
      const { env } = await emptyCluster();
      const keys = dirname(env.PLATFORM_AUDIT_KEY_FILE ?? "");
      for (const name of ["", "audit.key", "session.key"]) chownSync(join(keys, name), 0, gid);
      const dataDir = temporaryFolder();
      giveAway(dataDir);
      const refused = startServer({ firstStart: true, dataDir, env });
      // The keys have mode 0600 in a folder with mode 0700.
      await expect(refused).rejects.toThrow(/Cannot use the key file \S+audit\.key: EACCES/);
    },
  );
});

/** The real user and group of a process. */
function idsOf(pid: number): (number | undefined)[] {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return ["Uid", "Gid"].map((name) =>
    Number(new RegExp(`^${name}:\\t(\\d+)`, "m").exec(status)?.[1]),
  );
}
