// Runs ci-job.sh as CI systems do: without a terminal, and with an API key in a variable.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../helpers/app.ts";
import { serveConsole } from "../helpers/browser/console-server.ts";
import { perFile } from "../helpers/lifetime.ts";
import { createKey } from "../helpers/process/operator.ts";
import { frequentNews, startCommand } from "../helpers/process/process.ts";
import { pathWith } from "../helpers/programs/own-program.ts";

const server = perFile(() => serveConsole(frequentNews));
const job = join(import.meta.dirname, "ci-job.sh");

test("a CI job does its work through platformctl", { timeout: 120_000 }, async () => {
  const folder = temporaryFolder();
  const ran = await bash(["-c", `exec bash '${job}'`], {
    PATH: pathWith("jq"),
    TMPDIR: folder,
    PLATFORM_URL: server().url,
    PLATFORM_API_KEY: await createKey(server(), "operator"),
  });
  expect(ran.stderr).toBe("");
  expect(ran.status, ran.stdout).toBe(0);
  expect(ran.stdout).toMatch(/\n== Done\n$/);
  const statuses = [...ran.stdout.matchAll(/ -> (\d+)$/gm)].map((match) => Number(match[1]));
  expect([...new Set(statuses)].sort()).toEqual([0, 1]);
  expect(readdirSync(folder)).toEqual([]);
});

test("the job fails if a check fails", async () => {
  const env = { PATH: pathWith("jq"), TMPDIR: temporaryFolder(), PLATFORM_URL: server().url };
  const ran = await bash([job], { ...env, PLATFORM_API_KEY: "wrong" });
  expect(ran.status).toBe(1);
  expect(ran.stderr).toMatch(/^not 0:\n\{"error":\{"code":"UNAUTHORIZED"/);
});

async function bash(args: string[], env: Record<string, string>) {
  const { status, stdout, stderr } = await startCommand(["bash", ...args], {
    env,
    group: true,
  }).ended;
  return { status, stdout, stderr };
}
