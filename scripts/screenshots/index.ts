// npm run screenshots: takes screenshots of every console page, in both themes and at two widths.
// `--docs` replaces the screenshots in the documentation.

import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Argument, Command } from "commander";
import { startSubject } from "../bench/subject.ts";
import { buildConsole } from "../build/console.ts";
import { isStale } from "../build/console-sources.ts";
import { projectFolder } from "../build/project.ts";
import { type Subject, takeAll, takeForDocuments } from "./camera.ts";
import { addLife, clientOf, findIds, keepWorking, registerFleet, signIn } from "./fill.ts";
import { addHistory } from "./history.ts";
import { addNight } from "./night.ts";

const owner = { username: "anna", password: "a-picture-of-a-password" };

/** Keeps agents online for hours without heartbeats. */
const calm = {
  PLATFORM_ADMIN_USERNAME: owner.username,
  PLATFORM_ADMIN_PASSWORD: owner.password,
  PLATFORM_WORKSPACE_NAME: "Fjord Books",
  PLATFORM_CAPSULE_BUS_ENABLED: "true",
  PLATFORM_AGENT_OFFLINE_THRESHOLD_SECONDS: "3600",
  PLATFORM_AGENT_SUPPRESS_AFTER_SECONDS: "14400",
  PLATFORM_MAINTENANCE_INTERVAL_SECONDS: "1",
  PLATFORM_SERVICE_STALE_THRESHOLD_SECONDS: "86400",
};

interface Options {
  docs?: true;
  only?: string;
}

await new Command("screenshots")
  .description("Takes screenshots of the console's pages.")
  .addArgument(new Argument("[folder]", "the target folder (default: a temporary folder)"))
  .option("--docs", "replace the documentation's screenshots in docs/screenshots")
  .option("--only <names>", "only these pages, separated by commas")
  .action(main)
  .parseAsync();

async function main(given: string | undefined, { docs, only }: Options): Promise<void> {
  if (isStale(projectFolder)) await buildConsole(projectFolder, "best");
  const folder = docs
    ? join(projectFolder, "docs/screenshots")
    : (given ?? mkdtempSync(join(tmpdir(), "platform-screenshots-")));
  mkdirSync(folder, { recursive: true });
  await withFleet(async (subject) => {
    if (!docs) {
      for (const line of await takeAll(subject, folder, only)) console.error(`missed ${line}`);
      console.log(folder);
      return;
    }
    for (const name of await takeForDocuments(subject, folder, only)) {
      console.log(`${name}: ${Math.round(statSync(join(folder, name)).size / 1024)} KiB`);
    }
  });
}

async function withFleet(work: (subject: Subject) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "platform-fleet-"));
  const ending = new AbortController();
  let server = await startSubject(dataDir, ending.signal, calm);
  try {
    const before = await openAs(server.port);
    const agentTokens = await registerFleet(before.url, before.operator);
    await before.operator.close();
    await server.stop();
    addHistory(server.databaseFile);
    server = await startSubject(dataDir, ending.signal, calm);
    const { url, session, operator } = await openAs(server.port);
    const working = agentTokens.map((token) => keepWorking(url, token, ending.signal));
    await addLife(operator);
    const other = await signIn(url, "ben", owner.password);
    const asOperator = clientOf(url, other);
    await addNight(operator, asOperator);
    await asOperator.close();
    await work({ url, session, ids: await findIds(operator) });
    await operator.close();
    ending.abort();
    await Promise.all(working);
  } finally {
    ending.abort();
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function openAs(port: number) {
  const url = `http://127.0.0.1:${port}`;
  const session = await signIn(url, owner.username, owner.password);
  return { url, session, operator: clientOf(url, session) };
}
