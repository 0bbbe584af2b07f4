// The job of ci-job.sh, run by bash as CI systems run it: no terminal, a key in a variable, jq.

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { bin } from "../helpers/process/installed.ts";
import { cleanEnv, frequentNews, platformctl, startServer } from "../helpers/process/process.ts";
import { folderWithJq, hasJq, pathWithJq } from "../helpers/programs/jq.ts";
import { runJq } from "../helpers/programs/jq-like.ts";

const job = join(import.meta.dirname, "ci-job.sh");

test("a CI job does its work through platformctl", { timeout: 120_000 }, async () => {
  const server = await startServer({ env: frequentNews });
  const words = ["api-keys", "create", "--name", "ci", "--role", "operator", "-o", "json"];
  const { key } = JSON.parse((await platformctl([...words, "--db", server.file])).stdout);
  const folder = temporaryFolder();
  const PATH = pathWithJq([bin, cleanEnv().PATH].join(delimiter));
  const ran = await bash(["-c", `exec bash '${job}'`], {
    PATH,
    TMPDIR: folder,
    PLATFORM_URL: server.url,
    PLATFORM_API_KEY: key,
  });
  expect(ran.stderr).toBe("");
  expect(ran.status, ran.stdout).toBe(0);
  expect(ran.stdout).toMatch(/\n== Done\n$/);
  // It has asserted every exit status that a job can meet.
  const statuses = [...ran.stdout.matchAll(/ -> (\d+)$/gm)].map((match) => Number(match[1]));
  expect([...new Set(statuses)].sort()).toEqual([0, 1, 2, 3, 4, 5, 6, 8]);
  expect(readdirSync(folder)).toEqual([]);
});

test("it fails where a check fails", async () => {
  const server = await startServer({ env: frequentNews });
  const PATH = pathWithJq([bin, cleanEnv().PATH].join(delimiter));
  const env = { PATH, TMPDIR: temporaryFolder(), PLATFORM_URL: server.url };
  const ran = await bash([job], { ...env, PLATFORM_API_KEY: "wrong" });
  expect(ran.status).toBe(1);
  expect(ran.stderr).toMatch(/^not 0:\n\{"error":\{"code":"UNAUTHORIZED"/);
});

test.each([
  { args: ["-r", ".a"], input: '{"a":"b"}', stdout: "b\n", status: 0 },
  { args: ["-c", ".a"], input: '{"a":{"b":[1,2]}}', stdout: '{"b":[1,2]}\n', status: 0 },
  { args: ["-e", ".a == 1"], input: '{"a":1}', stdout: "true\n", status: 0 },
  { args: ["-e", ".a == 1"], input: '{"a":2}', stdout: "false\n", status: 1 },
  { args: ["-r", "--arg", "x", "y", "$x"], input: "{}", stdout: "y\n", status: 0 },
  {
    args: ["-r", ".[] | select(.a) | .b"],
    input: '[{"a":true,"b":"c"}]',
    stdout: "c\n",
    status: 0,
  },
  { args: [".a"], input: "no JSON", stdout: "", status: 5 },
])("the jq for machines without one: $args of $input", async ({ args, input, ...wanted }) => {
  const { stdout, status } = await runJq(args, () => input);
  expect({ stdout, status }).toEqual(wanted);
  if (!hasJq || wanted.status === 5) return;
  const real = await bash(["-c", 'exec jq "$@"', "jq", ...args], {}, input);
  expect({ stdout: real.stdout, status: real.status }).toEqual(wanted);
});

test("it is a program as any other", async () => {
  const jq = join(folderWithJq(), "jq");
  const ran = await bash(["-c", `exec '${jq}' -e "$@"`, "jq", ".a == 1"], {}, '{"a":2}');
  expect(ran).toEqual({ stdout: "false\n", stderr: "", status: 1 });
});

/** Runs bash in a process group of its own, which is killed when the test ends. */
async function bash(args: string[], env: Record<string, string>, stdin = "") {
  const child = spawn("bash", args, { env: cleanEnv(env), stdio: "pipe", detached: true });
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // It has ended, and left nothing behind.
    }
  });
  child.stdin.on("error", () => undefined).end(stdin);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [status, stdout, stderr] = await Promise.all([
    ended,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { status, stdout, stderr };
}
