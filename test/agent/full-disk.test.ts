// The agent's host stays ONLINE while its disk is full, even if the agent restarts.

import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { listenTestApp } from "../helpers/http/http.ts";
import { hasSmallDisks, mountSmallDisk } from "../helpers/process/small-disk.ts";
import { ended, execute, registrationToken, startAgentProgram, until } from "./harness.ts";

test.skipIf(!hasSmallDisks())(
  "an agent that starts on a full disk refuses commands until there is room",
  async () => {
    const server = await listenTestApp();
    const disk = await mountSmallDisk(temporaryFolder(), 1);
    const stateDir = join(disk.folder, "state");
    const token = await registrationToken(server);
    const start = () => startAgentProgram(server.url, stateDir, token, disk.enter);
    const run = async () => ended(server, await execute(server));

    const first = start();
    await first.says("started");
    expect(await run()).toMatchObject({ status: "SUCCEEDED" });
    first.kill();
    await first.ended;
    const empty = disk.fill();
    const second = start();
    await second.says("started");
    // The journal's last block on the disk has room for some commands.
    const isRefused = async () => (await run()).errorCode === "AGENT_STORAGE_FAILED";
    await until(isRefused, "a refused command");
    empty();
    expect(await run()).toMatchObject({ status: "SUCCEEDED" });
  },
);
