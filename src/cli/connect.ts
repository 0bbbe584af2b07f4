// Connects to where a command works: a server over HTTP, or the database file itself, through the same
// door. (`cli.md` "Where it talks", "Who")

import { dirname } from "node:path";
import { pathToFileURL } from "node:url";
import { type Client, createClient } from "../client/client.ts";
import { type HttpTransportOptions, httpTransport } from "../client/transport-http.ts";
import { localTransport } from "../client/transport-local.ts";
import { loadConfig } from "../config/config.ts";
import { listenerVariables } from "../config/variables.ts";
import type { AppError } from "../domain/errors.ts";
import { abandoned } from "./abandoned.ts";
import { copyInChild } from "./child.ts";
import { CliError, exit } from "./exit.ts";
import type { Io } from "./io.ts";
import { osUser } from "./os-user.ts";
import { printableText } from "./printable.ts";
import { proxyTo } from "./proxy.ts";
import { hostOf } from "./server-url.ts";
import { sourceVersion } from "./version.ts";
import { requireTarget, type ServerTarget, type TargetOptions } from "./where.ts";

/** How long a write waits for the server's transaction, in milliseconds. */
const busyTimeoutMs = 5000;

export interface ConnectOptions extends TargetOptions {
  debug?: boolean;
}

/**
 * The client for where the options, variables and contexts lead; its calls end with `signal`. Throws a
 * usage error when they lead nowhere.
 */
export async function connect(
  io: Io,
  options: ConnectOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<Client> {
  const target = await requireTarget(io, options);
  if (target.kind === "file") return connectToFile(io, target.file, options, signal);
  return connectToServer(io, target, options, signal);
}

/** The client of a server. `more` is for who signs in there. */
export function connectToServer(
  io: Io,
  target: ServerTarget,
  options: ConnectOptions,
  signal: AbortSignal,
  more: Pick<HttpTransportOptions, "onCookies"> = {},
): Client {
  const { url, ca, credential } = target;
  const transport = httpTransport({
    url,
    ca,
    proxy: proxyTo(io, url),
    userAgent: `platformctl/${sourceVersion()}`,
    ...(credential.kind === "apiKey" ? { bearer: credential.key } : {}),
    ...(credential.kind === "session" ? { session: credential.session } : {}),
    ...tracing(io, options),
    ...more,
  });
  return createClient(transport, {
    signal,
    onAbandoned: abandoned,
    onUnauthorized: (refusal) => signInError(target) ?? refusal,
  });
}

/** What to do about a refusal, where signing in is what helps; null when the server's words must do. */
function signInError({ url, context, credential }: ServerTarget): CliError | null {
  if (context === null || credential.kind === "apiKey") return null;
  const what =
    credential.kind === "session" ? "your session has ended" : `you are signed out of ${url}`;
  const name = context === hostOf(url) ? "" : ` --name ${context}`;
  return new CliError(exit.notAllowed, `${what}: platformctl login --server ${url}${name}`, {
    code: "UNAUTHORIZED" satisfies AppError["code"],
  });
}

function tracing(io: Io, options: ConnectOptions): Pick<HttpTransportOptions, "trace"> {
  if (!options.debug) return {};
  return { trace: (line) => io.note(`${printableText(line)}\n`) };
}

/** Opens the file itself: who may do that acts as owner, and is audited as LOCAL. */
async function connectToFile(
  io: Io,
  file: string,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Client> {
  const { createApp, realWorld } = await import("../app.ts");
  const { openDatabase } = await import("../store/open.ts");
  const config = loadConfig(settingsFor(file, io.env), sourceVersion());
  const { now } = io;
  const opened = openDatabase({ file, busyTimeoutMs, schema: "require", now });
  const { database } = opened;
  const world = { ...realWorld, now, copyDatabase: copyInChild };
  const app = await orClose(database, () => createApp(config, opened, world));
  const principal = { kind: "local", osUser: osUser() } as const;
  const close = async () => {
    try {
      await app.close();
    } finally {
      await database.close();
    }
  };
  const transport = localTransport(file, app.localDoor(principal), close, {
    paths: app.localPaths(principal),
    ...tracing(io, options),
  });
  return createClient(transport, { signal, onAbandoned: abandoned });
}

/** What was opened for work that cannot begin is not left open: others may want the file alone. */
async function orClose<T>(database: { close(): Promise<void> }, begin: () => T): Promise<T> {
  try {
    return begin();
  } catch (error) {
    await database.close();
    throw error;
  }
}

/**
 * What concerns a listening server is left out: however wrong it is, nothing here needs it. The bus is
 * switched on and off for agents at that server; the file's routes and events can always be worked on,
 * unless it is switched off here.
 */
export function settingsFor(file: string, env: Record<string, string>): Record<string, string> {
  const all = {
    CAPSULE_BUS_ENABLED: "true",
    ...env,
    DATABASE_URL: pathToFileURL(file).href,
    DATA_DIR: dirname(file),
  };
  const names: readonly string[] = listenerVariables;
  return Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));
}
