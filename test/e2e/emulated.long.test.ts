// Tests that the packaged file for ARM works, under an emulator.

import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { armFile, emulator, whyNotEmulated } from "../helpers/process/emulator.ts";
import { openPackaged, type PackagedInRoom, worksAsEverything } from "./packaged-in-room.ts";

const reason = whyNotEmulated();
const name = "the packaged file for ARM";
// A test report usually omits the names of skipped tests.
if (reason !== null) process.stderr.write(`Not tested: ${name} (${reason})\n`);

describe.skipIf(reason !== null)(name, () => {
  let inRoom: PackagedInRoom;

  beforeAll(async () => {
    inRoom = await openPackaged(armFile, emulator);
  });

  afterAll(() => inRoom?.close());

  test("works as a server, as the command line and as an agent, and is backed up and restored", async () => {
    const withoutLibraries = { QEMU_LD_PREFIX: "/nonexistent" };
    const emulated = await inRoom.run(["platform", "--version"], withoutLibraries);
    expect(emulated.stderr).toContain("/lib/ld-linux-aarch64.so.1");
    const { client } = await inRoom.ask(["platformctl", "version"]);
    expect(client).toMatchObject({ packaged: true, sqlite: expect.stringMatching(/^3\./) });
    await worksAsEverything(inRoom);
  });
});
