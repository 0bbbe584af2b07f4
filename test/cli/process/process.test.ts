// What only real processes can show: exit statuses in a shell, closed pipes and full disks.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { perFile } from "../../helpers/lifetime.ts";
import { bin } from "../../helpers/process/installed.ts";
import { databaseEnv } from "../../helpers/process/process.ts";
import { openWorld } from "../world.ts";

const shared = perFile(openWorld);

test("a command ends quietly when its reader stops, and prints everything otherwise", async () => {
  const world = shared();
  const { call } = world.as("owner");
  const making = Array(200).fill({ body: {} });
  await Promise.all(making.map((input) => call("registration-tokens.create", input)));
  const words = `audit list --limit 200 -o json --db '${world.db}'`;
  expect(piped(words, "head -n 1")).toEqual({ status: 0, stdout: "[\n", stderr: "" });
  const { stdout } = piped(words, "cat");
  expect(stdout.length).toBeGreaterThan(100_000);
  expect(JSON.parse(stdout)).toHaveLength(200);
});

test("the exit status is right even if nobody reads the output", async () => {
  const world = shared();
  const id = await world.execute("log-collector", "explode");
  await world.run("--server", ["commands", "wait", id]);
  const wait = `commands wait ${id} --db '${world.db}' 2>&1`;
  expect(piped(wait, "true")).toEqual({ status: 1, stdout: "", stderr: "" });
});

/** Runs platformctl with a pipe to `reader`, and returns its exit status and what was printed. */
function piped(words: string, reader: string) {
  const file = join(temporaryFolder(), "status");
  const script = `{ '${bin}/platformctl' ${words}; echo $? > '${file}'; } | ${reader}`;
  const { stdout, stderr } = runShell(script);
  return { status: Number(readFileSync(file, "utf8")), stdout, stderr };
}

function runShell(script: string) {
  const env = { ...process.env, ...databaseEnv([script]) };
  return spawnSync("sh", ["-c", script], { encoding: "utf8", env });
}

test.skipIf(!existsSync("/dev/full"))("a full disk is reported in one line", async () => {
  const script = `'${bin}/platformctl' agents list --db '${shared().db}' > /dev/full`;
  const { status, stderr } = runShell(script);
  expect(stderr).toBe("platformctl: standard output cannot be written: the disk is full.\n");
  expect(status).toBe(1);
});
