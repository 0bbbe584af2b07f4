// Tests that a server that root starts on another user's data folder runs permanently as that user.

import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { startProgram, startServer } from "../helpers/process/process.ts";
import { asRoot, gid, giveAway, snapshot, uid } from "../helpers/programs/as-root.ts";

asRoot(
  "the server runs as the folder's owner, and root can create a backup at the same time",
  async () => {
    const dataDir = temporaryFolder();
    cpSync(inject("templateDataDir"), dataDir, { recursive: true });
    giveAway(dataDir);
    const server = await startServer({ dataDir });
    const status = readFileSync(`/proc/${server.pid}/status`, "utf8");
    expect(status).toMatch(new RegExp(`^Uid:(\\t${uid}){4}$`, "m"));
    expect(status).toMatch(new RegExp(`^Gid:(\\t${gid}){4}$`, "m"));

    const own = temporaryFolder();
    const words = ["backup", join(own, "b.db"), "--data-dir", dataDir];
    expect(await startProgram("platform", words).ended).toMatchObject({ status: 0 });
    const owners = Object.values(snapshot(own)).map((file) => file.split(" ", 2).join(" "));
    expect(owners).toEqual(["0:0 100600", "0:0 100600"]);
    await server.stop();
    const restore = ["restore", join(own, "b.db"), "--data-dir", dataDir, "--yes"];
    expect(await startProgram("platform", restore).ended).toMatchObject({ status: 0 });
    for (const [name, file] of Object.entries(snapshot(dataDir))) {
      expect(file.split(" ", 1)[0], name).toBe(`${uid}:${gid}`);
    }
  },
);
