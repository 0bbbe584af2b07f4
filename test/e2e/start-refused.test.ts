// Tests that `platform serve` does not start if it could lose data or expose it to others.

import { chmodSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { platformctl, startProgram, startServer } from "../helpers/process/process.ts";

const isRoot = process.geteuid?.() === 0;
const serve = (dataDir: string) =>
  startProgram("platform", ["serve", "--port", "0", "--data-dir", dataDir]).ended;

test("the server does not start beside another server, on a lost database, with another key, or in a folder that others can write to", async () => {
  const { pid, dataDir, file, stop } = await startServer();
  const second = await serve(dataDir);
  expect(second.status).toBe(6);
  expect(second.stderr).toContain(`another server is using it (process ${pid} on `);
  expect(await platformctl(["agents", "list", "--db", file])).toMatchObject({ status: 0 });
  expect(await stop()).toMatchObject({ status: 0 });

  chmodSync(dataDir, 0o777);
  const shared = await serve(dataDir);
  // Root does not open the folder at all, because others could put links there.
  const refusal = isRoot
    ? { status: 4, says: `other users may write to ${dataDir}` }
    : { status: 6, says: "every user of this host can write to it (mode 777)" };
  expect(shared.status).toBe(refusal.status);
  expect(shared.stderr).toContain(refusal.says);
  chmodSync(dataDir, 0o700);

  writeFileSync(join(dataDir, "audit.key"), `${Buffer.alloc(32, 7).toString("base64")}\n`);
  for (const ran of [await serve(dataDir), await platformctl(["users", "list", "--db", file])]) {
    expect(ran.status).toBe(6);
    expect(ran.stderr).toContain("it is not the key of the audit trail");
  }

  truncateSync(file, 0);
  const lost = await serve(dataDir);
  expect(lost.status).toBe(6);
  expect(lost.stderr).toContain("it is empty (0 bytes), but");
});

test("a server that was killed does not prevent the next start", async () => {
  const { dataDir, kill } = await startServer();
  await kill();
  const again = await startServer({ dataDir });
  expect(await again.stop()).toMatchObject({ status: 0 });
});
