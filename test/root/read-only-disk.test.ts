// Tests a server whose file system becomes read-only, as after a disk error (`errors=remount-ro`).
// The test makes ext4 abort, because the kernel refuses a remount while a file is open for writing.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, onTestFinished } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { openNamespace } from "../helpers/process/namespace.ts";
import { type Server, send, startProgram, startServer, until } from "../helpers/process/process.ts";
import { asRoot } from "../helpers/programs/as-root.ts";

const noticedWithinMs = 5000;

/** Mounts an ext4 file system in a namespace. Returns null if that is not permitted. */
async function openDisk() {
  const image = join(temporaryFolder(), "image");
  writeFileSync(image, "");
  truncateSync(image, 32 * 1024 * 1024);
  const folder = temporaryFolder();
  const mount = 'mount -o loop "$1" "$2"';
  const namespace = await openNamespace("m", `mkfs.ext4 -q "$1"; ${mount}`, image, folder);
  if (!namespace) return null;
  onTestFinished(namespace.close);
  const { enter, outside } = namespace;
  const run = (command: string) => {
    const [program, ...rest] = [...enter, "sh", "-ec", command, "sh", image, folder] as const;
    const { status, stderr } = spawnSync(program, rest, { encoding: "utf8" });
    return [status, stderr];
  };
  const inside = (command: string) => expect(run(command)).toEqual([0, ""]);
  return {
    enter,
    dataDir: join(folder, "data"),
    outside,
    flush: () => inside('sync -f "$2"'),
    // This command can fail if another mount on this machine happens at the same time.
    giveUp: () =>
      until("the disk gives up", () => run('mount -o remount,abort "$2" 2>/dev/null')[0] === 0),
    mountAnew: () => inside(`umount "$2"; ${mount}`),
  };
}

function statusesOf({ url }: Server): Promise<number[]> {
  const asked = ["health", "ready"].map((name) => send(url, "GET", `/api/system/${name}`));
  return Promise.all(asked).then((answers) => answers.map(({ status }) => status));
}

asRoot(
  "on a disk that becomes read-only, no write succeeds until the disk is mounted again",
  async ({ skip }) => {
    const disk = await openDisk();
    if (!disk) {
      const reason = "ext4 cannot be mounted here";
      process.stderr.write(`SKIPPED because ${reason}: a disk that becomes read-only\n`);
      return skip(reason);
    }
    const { enter, dataDir } = disk;
    mkdirSync(disk.outside(dataDir), { mode: 0o700 });
    cpSync(inject("templateDataDir"), disk.outside(dataDir), { recursive: true });
    // Unflushed data is lost when the disk fails.
    disk.flush();
    const place = ["--db", join(dataDir, "platform.db"), "-o", "json"];
    const make = ["api-keys", "create", "--role", "owner", ...place];
    const made = await startProgram("platformctl", make, { enter }).ended;
    const { key } = JSON.parse(made.stdout);
    const server = await startServer({ dataDir, enter });
    const write = ({ url }: Server) =>
      send(url, "POST", "/api/admin/registration-tokens", { bearer: key, body: {} });
    const first = await write(server);
    expect(first.status).toBe(201);

    await disk.giveUp();
    for (let turn = 0; turn < 5; turn++) expect((await write(server)).status).toBe(503);
    const isDown = async () => (await statusesOf(server)).every((status) => status === 503);
    await until("health and ready report it", isDown, noticedWithinMs);
    const { status, stderr } = await server.stop();
    expect(status).not.toBe(0);
    expect(stderr).not.toContain("Unknown error");

    disk.mountAnew();
    const again = await startServer({ dataDir, enter });
    expect(await statusesOf(again)).toEqual([200, 200]);
    expect((await write(again)).status).toBe(201);
    const path = "/api/admin/registration-tokens";
    const { body } = await send(again.url, "GET", path, { bearer: key });
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids).toContain(first.body.data.id);
    expect(ids).toHaveLength(2);
    await again.stop();
  },
);
