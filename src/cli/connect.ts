// Where a command talks: to a server over HTTP, or straight to a database file, through the same
// door. Flag beats variable. (`cli.md` "Where it talks", "Who")

import { userInfo } from "node:os";
import { dirname, resolve } from "node:path";
import { type Client, createClient } from "../client/client.ts";
import { httpTransport } from "../client/transport-http.ts";
import { localTransport } from "../client/transport-local.ts";
import { loadConfig } from "../config/config.ts";
import { copyInChild } from "./child.ts";
import { usageError } from "./exit.ts";
import type { Io } from "./io.ts";
import { sourceVersion } from "./version.ts";

/** How long a write waits for the server's transaction, in milliseconds. */
const busyTimeoutMs = 5000;

export interface ConnectOptions {
  server?: string;
  db?: string;
  debug?: boolean;
}

/** The client for where the options and variables lead. Throws a usage error when they lead nowhere. */
export async function connect(io: Io, options: ConnectOptions): Promise<Client> {
  if (options.server && options.db) throw usageError("give --server or --db, not both.");
  const file = options.db ?? (options.server ? undefined : io.env.DB);
  if (file) return connectToFile(io, resolve(file));
  const url = options.server ?? io.env.URL;
  if (url) return connectToServer(io, url, options.debug ?? false);
  throw usageError(
    "say where to work: --server URL or --db FILE (or set PLATFORM_URL or PLATFORM_DB).",
  );
}

function connectToServer(io: Io, url: string, debug: boolean): Client {
  const full = url.includes("://") ? url : `http://${url}`;
  if (!URL.canParse(full) || !/^https?:$/.test(new URL(full).protocol)) {
    throw usageError(`--server must be a URL such as http://127.0.0.1:8080, not ${url}.`);
  }
  return createClient(
    httpTransport({
      url: full,
      bearer: io.env.API_KEY,
      userAgent: `platformctl/${sourceVersion()}`,
      ...(debug ? { trace: (line: string) => io.note(`${line}\n`) } : {}),
    }),
  );
}

/** Opens the file itself: who may do that acts as owner, and is audited as LOCAL. */
async function connectToFile(io: Io, file: string): Promise<Client> {
  const { createApp, realWorld } = await import("../app.ts");
  const { openDatabase } = await import("../store/open.ts");
  const env = { ...io.env, DATABASE_URL: `file:${file}`, DATA_DIR: dirname(file) };
  const config = loadConfig(env, sourceVersion());
  const { now } = realWorld;
  const opened = openDatabase({ file, busyTimeoutMs, schema: "require", now });
  const { database } = opened;
  const app = createApp(config, opened, { ...realWorld, copyDatabase: copyInChild });
  return createClient(
    localTransport(file, app.localDoor({ kind: "local", osUser: osUser() }), async () => {
      await app.close();
      await database.close();
    }),
  );
}

function osUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}
