// Starts a server with a fleet that has a history, and agents that work.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSubject } from "../bench/subject.ts";
import { buildConsole } from "../build/console.ts";
import { isStale } from "../build/console-sources.ts";
import { projectFolder } from "../build/project.ts";
import type { Subject } from "./camera.ts";
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

/**
 * Builds the console first, if it is not up to date. After `work`, stops the server and removes its
 * data.
 */
export async function withFleet(work: (subject: Subject) => Promise<void>): Promise<void> {
  if (isStale(projectFolder)) await buildConsole(projectFolder, "best");
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
