// The shell in which the examples of the manual and the guides run. Its folder contains the
// database of a running server, which has one agent.

import { mkdirSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { createCollector } from "../../../src/cli/commands/demo/collector.ts";
import { programVersion } from "../../../src/cli/version.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { listen } from "../../helpers/http/listen.ts";
import { type InProcessServer, serveInProcess } from "../../helpers/in-process-server.ts";
import { frequentNews } from "../../helpers/process/process.ts";
import { pathWith } from "../../helpers/programs/own-program.ts";
import { cli } from "../world.ts";
import { startDemoSidecar } from "./demo-sidecar.ts";
import { openFastShell } from "./fast-shell.ts";
import type { Place } from "./replay.ts";
import type { Shell } from "./shell.ts";

/**
 * Opens a shell in a folder with `data/platform.db`, the database of a running server. The service
 * `log-collector` and its agent `edge-1` are those of `platform demo`. Nobody has signed in.
 */
export async function openWorldShell(): Promise<{ shell: Shell; places: Place[] }> {
  const folder = temporaryFolder();
  const dataDir = join(folder, "data");
  mkdirSync(dataDir, { mode: 0o700 });
  const server = await serveInProcess({
    ...{ PLATFORM_DATA_DIR: dataDir, PLATFORM_CAPSULE_BUS_ENABLED: "true" },
    PLATFORM_VERSION: programVersion(undefined),
    ...frequentNews,
  });
  await startAgent(folder, server);
  const env = { PATH: pathWith("jq"), XDG_CONFIG_HOME: join(folder, "config") };
  const shell = await openFastShell(folder, env, true);
  const places = [
    { shown: "/srv/platform", real: folder },
    { shown: "127.0.0.1:8080", real: new URL(server.url).host },
    { shown: "local root", real: `local ${userInfo().username}` },
  ];
  return { shell, places };
}

/** Starts the demo's collector and sidecar, and waits until the service is healthy. */
async function startAgent(folder: string, server: InProcessServer): Promise<void> {
  const db = ["--db", server.file, "-o", "json"];
  const created = await cli(["tokens", "create", "--name", "edge-1", ...db]);
  const { token } = JSON.parse(created.stdout);
  const logs = join(folder, "logs");
  mkdirSync(logs);
  const lines = Array.from({ length: 40 }, (_, i) => `INFO request ${i + 1} served\n`);
  writeFileSync(join(logs, "app.log"), lines.join(""));
  const collector = `http://127.0.0.1:${await listen(createCollector(logs))}`;
  await startDemoSidecar(folder, { server: server.url, collector }, token);
  await cli(["services", "wait", "log-collector", ...db]);
}
