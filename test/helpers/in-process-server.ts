// Serves the API and the console from the test's own process, with the listener, the jobs and the
// real clock of `platform serve`. This takes a tenth of the CPU time of a separate process.

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type App, realWorld } from "../../src/app.ts";
import type { ProjectFiles } from "../../src/http/console/files.ts";
import { createHttpServer } from "../../src/http/server.ts";
import { jobTable, startJobs } from "../../src/jobs/index.ts";
import { openTestApp, testClock } from "./app.ts";
import { listen } from "./http/listen.ts";
import { atEnd } from "./lifetime.ts";
import { bin } from "./process/installed.ts";
import { templateOwner } from "./template-owner.ts";

export interface InProcessServer {
  url: string;
  /** The database file. */
  file: string;
  app: App;
}

/** No agent becomes OFFLINE and no service STALE, however slow the test is. */
const patience = {
  SERVICE_STALE_THRESHOLD_SECONDS: "3600",
  AGENT_OFFLINE_THRESHOLD_SECONDS: "3600",
  AGENT_SUPPRESS_AFTER_SECONDS: "7200",
};

/** Starts a server with an owner. `env` has the environment variables of `platform serve`. */
export async function serveInProcess(env: Record<string, string> = {}): Promise<InProcessServer> {
  const { username, password } = templateOwner;
  const settings = Object.entries(env).map(([name, value]) => [
    name.replace(/^PLATFORM_/, ""),
    value,
  ]);
  const account = { ADMIN_USERNAME: username, ADMIN_PASSWORD: password };
  const { app, file } = openTestApp(
    { ...patience, ...account, ...Object.fromEntries(settings) },
    {},
    realClock(),
  );
  await app.welcomeOwner();
  const http = createHttpServer({ ...app.httpOptions, projectFiles: builtConsole });
  const url = `http://127.0.0.1:${await listen(http.server)}`;
  await app.noteStarted();
  await app.join(url);
  const stopJobs = startJobs(app.core, jobTable());
  atEnd(async () => {
    app.beginToStop();
    http.server.closeAllConnections();
    await http.close();
    await stopJobs();
  });
  return { url, file, app };
}

function realClock() {
  const { now, monotonic, setTimer } = realWorld;
  return { ...testClock(), now, monotonic, setTimer };
}

const root = join(bin, "..");
const contents = new Map<string, Buffer>();

/** The console that was built for this run. Servers share what they have read. */
const builtConsole: ProjectFiles = {
  has: (path) => existsSync(join(root, path)),
  read(path) {
    const known = contents.get(path) ?? readFileSync(join(root, path));
    contents.set(path, known);
    return known;
  },
};
