// The child process of a backup, and backups with --db.

import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../../../src/cli/connecting/connect.ts";
import { inChild, runSelf } from "../../../src/cli/files/child-processes.ts";
import type { Io } from "../../../src/cli/terminal/io.ts";
import { openTestApp, type TestApp, temporaryFolder } from "../../helpers/app.ts";
import { sqliteOnly } from "../../helpers/sqlite-only.ts";

sqliteOnly("PostgreSQL is backed up with its own tools");

const never = new AbortController().signal;

function requestFor({ file }: TestApp) {
  const auditKeyFile = join(dirname(file), "audit.key");
  return { from: file, to: join(temporaryFolder(), "copy.db"), auditKeyFile };
}

test("a backup of the file works while it is open in a server", async () => {
  const test = openTestApp();
  await test.registerAgent("edge-1");
  const client = await connect({ env: {}, now: () => Date.now() } as Io, { db: test.file });
  const { chunks, headers } = await client.download("backup.create");
  const digest = createHash("sha256");
  for await (const chunk of chunks) digest.update(chunk);
  const [event] = (await client.page("audit-events.list")).data;
  await client.close();
  expect(headers["repr-digest"]).toBe(`sha-256=:${digest.digest("base64")}:`);
  expect(event).toMatchObject({ action: "backup.created", actorType: "LOCAL" });
  const folder = readdirSync(dirname(test.file));
  expect(folder.filter((name) => name.startsWith("backup"))).toEqual([]);
});

test("the caller gets the child's error", async () => {
  const test = openTestApp();
  const auditKeyFile = join(temporaryFolder(), "absent.key");
  await expect(
    inChild.copyDatabase({ ...requestFor(test), auditKeyFile }, never),
  ).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: expect.stringContaining("absent.key"),
  });
});

test("if the child ends in any other way, the error does not contain the child's output", async () => {
  const failure = await runSelf(["no-such-command", "-o", "json"], never).catch((error) => error);
  expect(failure).toMatchObject({
    code: "UNAVAILABLE",
    message: "A child process of this program exited with status 2 before it finished.",
  });
  expect(failure.cause.message).toContain("unknown command 'no-such-command'");
});

test("a child that cannot be started is an error", async () => {
  const { execPath } = process;
  onTestFinished(() => {
    process.execPath = execPath;
  });
  process.execPath = join(temporaryFolder(), "absent");
  await expect(runSelf(["health"], never)).rejects.toMatchObject({
    code: "UNAVAILABLE",
    message: "This program cannot start a child process.",
    cause: { code: "ENOENT" },
  });
});

test("an aborted signal ends the child, or prevents its start", async () => {
  const ending = new AbortController();
  const words = ["demo-collector", "--dir", temporaryFolder()];
  const running = runSelf(words, ending.signal);
  ending.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
  await expect(runSelf(words, ending.signal)).rejects.toThrow("enough");
});
