// Tests the restore in docs/guides/backup.md: a new server starts from a backup and the keys.

import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { createKey } from "../../helpers/process/operator.ts";
import { send, startServer, until } from "../../helpers/process/process.ts";

test("a server starts from a backup and the keys, and removes files that a crash left behind", async () => {
  const dataDir = join(temporaryFolder(), "data");
  const left = join(dataDir, "backup-4194305-crashd");
  mkdirSync(left, { recursive: true, mode: 0o700 });
  writeFileSync(join(left, "copy.db"), "half");
  const server = await startServer({ dataDir });
  await until("the files of the crash are gone", () => !existsSync(left));

  const key = await createKey(server);
  const answer = await fetch(`${server.url}/api/admin/backup`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
  });
  expect(answer.status).toBe(200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  await server.kill();

  const newDir = join(temporaryFolder(), "data");
  mkdirSync(newDir, { mode: 0o700 });
  writeFileSync(join(newDir, "platform.db"), bytes, { mode: 0o600 });
  for (const name of ["audit.key", "session.key"]) {
    copyFileSync(join(dataDir, name), join(newDir, name));
  }
  const again = await startServer({ dataDir: newDir });
  const events = await send(again.url, "GET", "/api/admin/audit-events?action=api_key.created", {
    bearer: key,
  });
  expect(events.body).toMatchObject({ success: true, pagination: { total: 1 } });
});
