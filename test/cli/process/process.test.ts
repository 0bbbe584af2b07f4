// Tests what only real processes can show: exit statuses in a shell, closed pipes, standard input,
// and signals.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { bin } from "../../helpers/process/installed.ts";
import { platformctl, startProgram, until } from "../../helpers/process/process.ts";
import { openWorld } from "../world.ts";

test("the process exits with the command's status", async () => {
  const world = await openWorld();
  const statusOf = async (...words: string[]) => (await platformctl(words)).status;
  const db = ["--db", world.file];
  expect(
    await Promise.all([
      statusOf("health", ...db),
      statusOf("actions", "run", "log-collector", "explode", ...db),
      statusOf("agents", "list", "--nope"),
      statusOf("agents", "get", "nobody", ...db),
      statusOf("agents", "list", "--server", world.url),
      statusOf("agents", "revoke-token", "edge-2", ...db),
      statusOf("agents", "list", "--db", `${world.file}-none`),
      statusOf("actions", "run", "sleeper", "snore", "--payload={}", "--timeout=0s", ...db),
    ]),
  ).toEqual([0, 1, 2, 3, 4, 5, 6, 8]);
});

test("a command ends quietly when its reader stops, and prints everything otherwise", async () => {
  const world = await openWorld();
  const { call } = world.as("owner");
  const making = Array(200).fill({ body: {} });
  await Promise.all(making.map((input) => call("registration-tokens.create", input)));
  const words = `audit list --limit 200 -o json --db '${world.file}'`;
  expect(piped(words, "head -n 1")).toEqual({ status: 0, stdout: "[\n", stderr: "" });
  const { stdout } = piped(words, "cat");
  expect(stdout.length).toBeGreaterThan(100_000);
  expect(JSON.parse(stdout)).toHaveLength(200);
});

test("the exit status is right even if nobody reads the output", async () => {
  const world = await openWorld();
  const id = await world.execute("log-collector", "explode");
  await world.run("--server", ["commands", "wait", id]);
  const wait = `commands wait ${id} --db '${world.file}' 2>&1`;
  expect(piped(wait, "true")).toEqual({ status: 1, stdout: "", stderr: "" });
});

/** Runs platformctl with a pipe to `reader`, and returns its exit status and what was printed. */
function piped(words: string, reader: string) {
  const file = join(temporaryFolder(), "status");
  const script = `{ '${bin}/platformctl' ${words}; echo $? > '${file}'; } | ${reader}`;
  const { stdout, stderr } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  return { status: Number(readFileSync(file, "utf8")), stdout, stderr };
}

test.skipIf(!existsSync("/dev/full"))("a full disk is reported in one line", async () => {
  const world = await openWorld();
  const script = `'${bin}/platformctl' agents list --db '${world.file}' > /dev/full`;
  const { status, stderr } = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  expect(stderr).toBe("platformctl: standard output cannot be written: the disk is full.\n");
  expect(status).toBe(1);
});

test("a payload can come from standard input", async () => {
  const world = await openWorld();
  const words = ["actions", "run", "log-collector", "set-level", "--payload", "-", "-o", "json"];
  const ran = await platformctl([...words, "--db", world.file], { stdin: '{"level":"warn"}' });
  expect(ran.status).toBe(0);
  expect(JSON.parse(ran.stderr).command.id).toBe(JSON.parse(ran.stdout).id);
  expect(JSON.parse(ran.stdout).payload).toEqual({ level: "warn" });
});

test("Ctrl-C ends the wait but does not stop the command", async () => {
  const world = await openWorld();
  const id = await world.execute("sleeper", "snore");
  const waiting = startProgram("platformctl", ["commands", "wait", id], {
    env: { PLATFORM_API_KEY: world.key, PLATFORM_URL: world.url },
  });
  await until("the command line waits", () =>
    [...world.app.core.doorbell.keys()].includes(`command:${id}`),
  );
  waiting.signal("SIGINT");
  const { status, stderr, stdout } = await waiting.ended;
  expect(status).toBe(130);
  expect(stderr).toContain("interrupted, but this does not stop snore on sleeper (PENDING).\n");
  expect(stderr).toContain(`platformctl commands cancel ${id}\n`);
  expect(stdout).toBe("");
  const command = await world.as("owner").call("commands.get", { params: { commandId: id } });
  expect(command.status).toBe("PENDING");
});
