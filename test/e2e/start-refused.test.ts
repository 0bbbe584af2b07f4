// Tests that `platform serve` does not start if it could lose data or expose it to others.

import { chmodSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { platformctl, startProgram, startServer } from "../helpers/process/process.ts";

const isRoot = process.geteuid?.() === 0;
const serve = (dataDir: string) =>
  startProgram("platform", ["serve", "--port", "0", "--data-dir", dataDir]).ended;
const refused = (status: number, says: string) => ({
  status,
  stderr: expect.stringContaining(says),
});

test("the server does not start beside another server, on a lost database, with another key, or in a folder that others can write to", async () => {
  const { pid, dataDir, file, stop } = await startServer();
  const inUse = `another server is using it (process ${pid} on `;
  expect(await serve(dataDir)).toMatchObject(refused(6, inUse));
  expect(await platformctl(["agents", "list", "--db", file])).toMatchObject({ status: 0 });
  expect(await stop()).toMatchObject({ status: 0 });

  chmodSync(dataDir, 0o777);
  // Root does not open the folder at all, because others could put links there.
  const shared = isRoot
    ? refused(4, `other users may write to ${dataDir}`)
    : refused(6, "every user of this host can write to it (mode 777)");
  expect(await serve(dataDir)).toMatchObject(shared);
  chmodSync(dataDir, 0o700);

  writeFileSync(join(dataDir, "audit.key"), `${Buffer.alloc(32, 7).toString("base64")}\n`);
  for (const ran of [await serve(dataDir), await platformctl(["users", "list", "--db", file])]) {
    expect(ran).toMatchObject(refused(6, "it is not the key of the audit trail"));
  }

  truncateSync(file, 0);
  expect(await serve(dataDir)).toMatchObject(refused(6, "it is empty (0 bytes), but"));
});

test("a server that was killed does not prevent the next start", async () => {
  const { dataDir, kill } = await startServer();
  await kill();
  const again = await startServer({ dataDir });
  expect(await again.stop()).toMatchObject({ status: 0 });
});
