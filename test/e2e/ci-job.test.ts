// Runs ci-job.sh as CI systems do: without a terminal, and with an API key in a variable. The agent
// and its service are processes, and platformctl runs in this one.

import { readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { openPrograms } from "../cli/manual/fast-shell.ts";
import { temporaryFolder } from "../helpers/app.ts";
import { serveInProcess } from "../helpers/in-process-server.ts";
import { createKey } from "../helpers/process/operator.ts";
import { frequentNews, startCommand } from "../helpers/process/process.ts";
import { pathWith } from "../helpers/programs/own-program.ts";

test("a CI job does its work through platformctl, and fails if a check fails", async () => {
  const server = await serveInProcess(frequentNews);
  const folder = temporaryFolder();
  const programs = await openPrograms("demo-collector\\ *");
  const env = {
    PATH: [programs, pathWith("jq")].join(delimiter),
    TMPDIR: folder,
    PLATFORM_URL: server.url,
    PLATFORM_API_KEY: await createKey(server, "operator"),
  };
  const job = join(import.meta.dirname, "ci-job.sh");
  const ran = await startCommand(["bash", job], { env, group: true }).ended;
  expect(ran.stderr).toBe("");
  expect(ran.status, ran.stdout).toBe(0);
  expect(ran.stdout).toMatch(/\n== Done\n$/);
  const statuses = [...ran.stdout.matchAll(/ -> (\d+)$/gm)].map((match) => Number(match[1]));
  expect([...new Set(statuses)].sort()).toEqual([0, 1, 8]);
  const refused = { ...env, PLATFORM_API_KEY: "wrong" };
  const failed = await startCommand(["bash", job], { env: refused, group: true }).ended;
  expect(failed.status).toBe(1);
  expect(failed.stderr).toMatch(/^not 0:\n\{"error":\{"code":"UNAUTHORIZED"/);
  expect(readdirSync(folder)).toEqual([]);
});
