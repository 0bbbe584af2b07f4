// Where a command talks: to a server over HTTP, or straight to a database file, through the same
// door. Flag beats variable. (`cli.md` "Where it talks", "Who")

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { problemOfCa } from "../client/ca.ts";
import { type Client, createClient } from "../client/client.ts";
import { httpTransport } from "../client/transport-http.ts";
import { localTransport } from "../client/transport-local.ts";
import { loadConfig } from "../config/config.ts";
import { listenerVariables } from "../config/variables.ts";
import { copyInChild } from "./child.ts";
import { usageError } from "./exit.ts";
import type { Io } from "./io.ts";
import { osUser } from "./os-user.ts";
import { sourceVersion } from "./version.ts";

/** How long a write waits for the server's transaction, in milliseconds. */
const busyTimeoutMs = 5000;

export interface ConnectOptions {
  server?: string;
  db?: string;
  caFile?: string;
  debug?: boolean;
}

/** Whether flags or variables name a place. */
export function saysWhere({ env }: Io, { server, db }: ConnectOptions): boolean {
  return Boolean(server || db || env.DB || env.URL);
}

/**
 * The client for where the options and variables lead; its calls end with `signal`. Throws a usage error
 * when they lead nowhere.
 */
export async function connect(
  io: Io,
  options: ConnectOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<Client> {
  if (options.server && options.db) throw usageError("give --server or --db, not both.");
  const file = options.db ?? (options.server ? undefined : io.env.DB);
  if (file) return connectToFile(io, resolve(file), signal);
  const url = options.server ?? io.env.URL;
  if (url) return connectToServer(io, url, options, signal);
  throw usageError(
    "say where to work: --server URL or --db FILE (or set PLATFORM_URL or PLATFORM_DB).",
  );
}

function connectToServer(
  io: Io,
  url: string,
  options: ConnectOptions,
  signal: AbortSignal,
): Client {
  const full = url.includes("://") ? url : `http://${url}`;
  if (!URL.canParse(full) || !/^https?:$/.test(new URL(full).protocol)) {
    throw usageError(`--server must be a URL such as http://127.0.0.1:8080, not ${url}.`);
  }
  return createClient(
    httpTransport({
      url: full,
      bearer: io.env.API_KEY,
      userAgent: `platformctl/${sourceVersion()}`,
      ca: caOf(io, options),
      ...(options.debug ? { trace: (line: string) => io.note(`${line}\n`) } : {}),
    }),
    { signal },
  );
}

/** Certificates of the operator's own; undefined when there are none. Throws a usage error. */
function caOf(io: Io, options: ConnectOptions): string | undefined {
  const file = options.caFile ?? io.env.CA_FILE;
  if (file === undefined) return undefined;
  const saidBy = options.caFile === undefined ? "PLATFORM_CA_FILE" : "--ca-file";
  const pem = readText(saidBy, file);
  const problem = problemOfCa(pem);
  if (problem) throw usageError(`${saidBy}: ${file} ${problem}.`);
  return pem;
}

function readText(saidBy: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code === "ENOENT" ? "there is no such file" : code;
    throw usageError(`${saidBy}: ${file} cannot be read: ${reason}.`);
  }
}

/** Opens the file itself: who may do that acts as owner, and is audited as LOCAL. */
async function connectToFile(io: Io, file: string, signal: AbortSignal): Promise<Client> {
  const { createApp, realWorld } = await import("../app.ts");
  const { openDatabase } = await import("../store/open.ts");
  const config = loadConfig(settingsFor(file, io.env), sourceVersion());
  const { now } = realWorld;
  const opened = openDatabase({ file, busyTimeoutMs, schema: "require", now });
  const { database } = opened;
  const app = createApp(config, opened, { ...realWorld, copyDatabase: copyInChild });
  return createClient(
    localTransport(file, app.localDoor({ kind: "local", osUser: osUser() }), async () => {
      await app.close();
      await database.close();
    }),
    { signal },
  );
}

/** What concerns a listening server is left out: however wrong it is, nothing here needs it. */
export function settingsFor(file: string, env: Record<string, string>): Record<string, string> {
  const all = { ...env, DATABASE_URL: pathToFileURL(file).href, DATA_DIR: dirname(file) };
  const names: readonly string[] = listenerVariables;
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
}
