// What only real processes can show: exit statuses in a shell, closed pipes, standard input, and
// signals.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { bin } from "../../helpers/process/installed.ts";
import { platformctl, startProgram, until } from "../../helpers/process/process.ts";
import { openWorld } from "../world.ts";

test("commands work over HTTP and on the file, with flags and with variables, and set the exit status", async () => {
  const world = await openWorld();
  const env = { PLATFORM_URL: world.url, PLATFORM_API_KEY: world.key };
  const words = ["agents", "list", "-o", "name"];
  const overHttp = await platformctl(words, { env });
  expect(overHttp).toMatchObject({ status: 0, stdout: "edge-2\nedge-1\n", stderr: "" });
  expect(await platformctl([...words, "--db", world.file])).toEqual(overHttp);
  const none = await platformctl(["agents", "get", "nobody", "--db", world.file]);
  expect(none).toMatchObject({ status: 3, stdout: "" });
});

test("a command ends quietly when its reader stops, and prints everything otherwise", async () => {
  const world = await openWorld();
  const { call } = world.as("owner");
  await Promise.all(
    Array.from({ length: 200 }, () => call("registration-tokens.create", { body: {} })),
  );
  const words = `audit list --limit 200 -o json --db '${world.file}'`;
  const statusFile = join(temporaryFolder(), "status");
  const script = `{ '${bin}/platformctl' ${words}; echo $? > '${statusFile}'; } | head -n 1`;
  const cut = spawnSync("sh", ["-c", script], { encoding: "utf8" });
  expect(cut).toMatchObject({ stdout: "[\n", stderr: "" });
  expect(readFileSync(statusFile, "utf8")).toBe("0\n");

  const whole = spawnSync("sh", ["-c", `'${bin}/platformctl' ${words} | cat`], {
    encoding: "utf8",
  });
  expect(whole.stdout.length).toBeGreaterThan(100_000);
  expect(JSON.parse(whole.stdout)).toHaveLength(200);
});

test("the exit status is right even if nobody reads the output", async () => {
  const world = await openWorld();
  const statusFile = join(temporaryFolder(), "status");
  const id = await world.execute("log-collector", "explode");
  await world.run("--server", ["commands", "wait", id]);
  const wait = `commands wait ${id} --db '${world.file}'`;
  const script = `{ '${bin}/platformctl' ${wait} 2>&1; echo $? > '${statusFile}'; } | true`;
  expect(spawnSync("sh", ["-c", script], { encoding: "utf8" })).toMatchObject({ stderr: "" });
  expect(readFileSync(statusFile, "utf8")).toBe("1\n");
});

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
  const waiting = startProgram(
    "platformctl",
    [...["commands", "wait", id, "--debug"], ...["--server", world.url]],
    { env: { PLATFORM_API_KEY: world.key } },
  );
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
