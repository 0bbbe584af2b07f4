// The agent's host stays ONLINE while its disk is full, even if the agent restarts.

import { cpSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { hasSmallDisks, mountSmallDisk } from "../helpers/process/small-disk.ts";
import { ended, execute, serviceWith, startAgentProgram, startPair, until } from "./harness.ts";

test.skipIf(!hasSmallDisks())(
  "an agent that starts on a full disk refuses commands until there is room",
  async () => {
    const disk = await mountSmallDisk(temporaryFolder(), 1);
    const stateDir = join(disk.folder, "state");
    const { server, tested: first } = await startPair(serviceWith({}));
    const run = async () => ended(server, await execute(server));
    expect(await run()).toMatchObject({ status: "SUCCEEDED" });
    await first.agent.stop();
    cpSync(first.stateDir, disk.outside(stateDir), { recursive: true });
    const empty = disk.fill();
    // Only a process in the namespace of the disk can lock the state folder.
    const second = startAgentProgram(server.url, stateDir, "no token", disk.enter);
    await second.says("started");
    // The journal's last block on the disk has room for some commands.
    const isRefused = async () => (await run()).errorCode === "AGENT_STORAGE_FAILED";
    await until(isRefused, "a refused command");
    empty();
    expect(await run()).toMatchObject({ status: "SUCCEEDED" });
  },
);
