// The facts that the checks of `platform doctor` examine. Costly facts are read once, when needed.

import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { createClient } from "../../../../client/client.ts";
import { httpTransport } from "../../../../client/transport-http.ts";
import { Unreachable } from "../../../../client/unreachable.ts";
import { type Config, loadConfig } from "../../../../config/config.ts";
import { ConfigError } from "../../../../config/config-error.ts";
import { describeConfig } from "../../../../config/describe.ts";
import { mistypedVariables } from "../../../../config/mistyped.ts";
import type { CheckReport } from "../../../../domain/storage/database-checks.ts";
import type { FilePlace, Place } from "../../../../domain/storage/place.ts";
import { userName } from "../../../../lib/files/accounts.ts";
import { once } from "../../../../lib/once.ts";
import type { Invocation } from "../../../command.ts";
import { readCa } from "../../../connecting/ca-file.ts";
import { databasePlace } from "../../../connecting/database-place.ts";
import { listenerUrl, ownCertificate, ownInstallationId } from "../../../connecting/own-server.ts";
import { proxyTo } from "../../../connecting/proxy.ts";
import { serverUrl } from "../../../connecting/server-url.ts";
import { inChild } from "../../../files/child-processes.ts";
import { refuseRoot } from "../../../files/refuse-root.ts";
import { givenFlags, namingFlags } from "../../../server-flags.ts";
import type { Io } from "../../../terminal/io.ts";
import { programVersion, sourceVersion } from "../../../version.ts";
import { clockAhead } from "./clock-ahead.ts";
import { lastServerOf } from "./last-server.ts";

const answerMs = 5000;

/** The facts that the checks of any kind of database examine. */
export type Subject = Awaited<ReturnType<typeof admit>>;

export type FileSubject = Subject & ReturnType<typeof fileFactsOf>;

export async function admit({ io, options, signal }: Invocation) {
  const given = options as { server?: string; caFile?: string; deep?: boolean };
  const { caFile, deep = false } = given;
  const server = given.server === undefined ? null : serverUrl(given.server, "--server");
  const place: Place = await databasePlace(io, options);
  refuseRoot(place);
  const flags = givenFlags(options);
  let config: Config | null = null;
  let configProblem: string | null = null;
  try {
    config = await namingFlags(flags, async () => {
      await describeConfig(io.env, flags.values, sourceVersion());
      return loadConfig({ ...io.env, ...flags.values }, sourceVersion());
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    configProblem = error.message;
  }
  const ca = readCa(io, caFile) ?? ownCertificate(config);
  const url = server ?? (config && listenerUrl(config));
  return {
    io,
    signal,
    place,
    deep,
    /** Null if the configuration is invalid; `configProblem` says why. */
    config,
    configProblem,
    configWarnings: mistypedVariables(io.env),
    /** `--server`, or null for the address where `serve` would listen. */
    server,
    version: programVersion(io.env.VERSION),
    /** Users, keys and agents that contradict the audit trail; null if unknown. */
    unaccounted: once(() => readUnaccountedOf(place, io.now())),
    response: once(async () => (url === null ? null : ask(io, url, ca, signal))),
    lastServer: once(() => lastServerOf(place)),
    /** The installation id that this database's servers report; null if the key is unreadable. */
    installationId: once(() => ownInstallationId(place)),
  };
}

export function fileFactsOf(place: FilePlace, { deep, signal }: Subject) {
  return {
    place,
    /** Why this user cannot open the folder or the database; null if this user can. */
    denied: denialOf(place),
    /** A string says why the database cannot be read. */
    facts: once(() => readFactsOf(place.file)),
    /** A string says why the file cannot be checked. */
    examination: once(() => examine(place, deep, signal)),
  };
}

/** Tries to open the folder and the database, because their modes alone are not conclusive. */
function denialOf({ folder, file }: FilePlace): string | null {
  for (const path of [`${folder}/.`, file]) {
    try {
      closeSync(openSync(path, "r"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EACCES") continue;
      const place = path === file ? file : folder;
      return `this user cannot open ${place}${ownerWords(place)}`;
    }
  }
  return null;
}

function ownerWords(path: string): string {
  try {
    return `: it belongs to the user ${userName(statSync(path).uid)}`;
  } catch {
    return "";
  }
}

async function readFactsOf(file: string) {
  const { openReader, requireDatabase } = await import("../../../../store/engine/sqlite/file.ts");
  const { readFacts } = await import("../../../../store/files/database-facts.ts");
  const { findMarkNow } = await import("../../../../store/move/mark.ts");
  try {
    requireDatabase(file);
    return reading(openReader(file), (opened) => {
      return { ...readFacts(opened), mark: findMarkNow(opened) };
    });
  } catch (error) {
    return (error as Error).message;
  }
}

/** Returns null for an unreadable database, which other checks report. */
async function readUnaccountedOf(place: Place, now: number) {
  const { openReaderOf } = await import("../../../../store/engine/sqlite/open-reader.ts");
  const { readUnaccounted } = await import("../../../../store/audit/unaccounted.ts");
  try {
    const opened = await openReaderOf(place);
    try {
      return await readUnaccounted(opened.read, now);
    } finally {
      await opened.close();
    }
  } catch {
    return null;
  }
}

export function reading<C extends { close(): void }, T>(
  connection: C,
  read: (connection: C) => T,
): T {
  try {
    return read(connection);
  } finally {
    connection.close();
  }
}

async function examine(
  { file, auditKeyFile }: FilePlace,
  deep: boolean,
  signal: AbortSignal,
): Promise<CheckReport | string> {
  const hasKey = existsSync(auditKeyFile);
  const request = { file, auditKeyFile: hasKey ? auditKeyFile : null, deep, draft: false };
  try {
    return await inChild.checkDatabase(request, signal);
  } catch (error) {
    signal.throwIfAborted();
    return (error as Error).message;
  }
}

/** `problem` says why there is no valid response. `refused`: nothing listens at the URL. */
async function ask(io: Io, url: string, ca: string | null, signal: AbortSignal) {
  const userAgent = `platform-doctor/${sourceVersion()}`;
  const proxy = proxyTo(io, url);
  const transport = httpTransport({ url, userAgent, ca: ca ?? undefined, proxy });
  const client = createClient(transport, { signal, timeoutMs: answerMs });
  try {
    const sentAt = io.now();
    const { status, version, timestamp, database, installationId } =
      await client.call("system.health");
    const clockAheadMs = clockAhead(Date.parse(timestamp), sentAt, io.now());
    const { message: why = null, reason } = database ?? {};
    return { url, problem: null, status, why, reason, version, clockAheadMs, installationId };
  } catch (error) {
    signal.throwIfAborted();
    const refused = error instanceof Unreachable && /connection refused/.test(error.message);
    return { url, problem: (error as Error).message, refused };
  } finally {
    await client.close();
  }
}
