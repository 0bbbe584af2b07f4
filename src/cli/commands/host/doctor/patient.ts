// Gathers what the checks of `platform doctor` look at; the costly things once, and only when asked for.

import { closeSync, existsSync, openSync, statSync } from "node:fs";
import { createClient } from "../../../../client/client.ts";
import { httpTransport } from "../../../../client/transport-http.ts";
import { Unreachable } from "../../../../client/unreachable.ts";
import { type Config, loadConfig } from "../../../../config/config.ts";
import { ConfigError } from "../../../../config/config-error.ts";
import { describeConfig } from "../../../../config/describe.ts";
import { mistypedVariables } from "../../../../config/mistyped.ts";
import type { CheckReport, Unaccounted } from "../../../../domain/storage/database-checks.ts";
import type { DatabaseFacts } from "../../../../domain/storage/restores.ts";
import { userName } from "../../../../lib/files/accounts.ts";
import type { Invocation } from "../../../command.ts";
import { readCa } from "../../../connecting/ca-file.ts";
import { type DatabasePlace, databasePlace } from "../../../connecting/database-place.ts";
import { listenerUrl, ownCertificate } from "../../../connecting/own-server.ts";
import { proxyTo } from "../../../connecting/proxy.ts";
import { checkInChild } from "../../../files/child.ts";
import { actAsOwnerOf } from "../../../files/data-owner.ts";
import { givenFlags, namingFlags } from "../../../server-flags.ts";
import type { Io } from "../../../terminal/io.ts";
import { sourceVersion } from "../../../version.ts";
import type { Patient, ServerAnswer } from "./check.ts";

const answerMs = 5000;
const busyTimeoutMs = 5000;

export async function admit(invocation: Invocation): Promise<Patient> {
  const { io, options, signal } = invocation;
  const {
    server = null,
    caFile,
    deep = false,
  } = options as {
    server?: string;
    caFile?: string;
    deep?: boolean;
  };
  const place = await databasePlace(io, options);
  await actAsOwnerOf(place.file);
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
  const version = io.env.VERSION ?? `${sourceVersion()}-dev`;
  const ca = readCa(io, caFile) ?? ownCertificate(config);
  const url = server ?? (config && listenerUrl(config));
  return {
    io,
    signal,
    place,
    config,
    configProblem,
    configWarnings: mistypedVariables(io.env),
    server,
    ca,
    version,
    denied: denialOf(place),
    facts: once(() => readFactsOf(place.file)),
    unaccounted: once(() => readUnaccountedOf(place.file, io.now())),
    examination: once(() => examine(place, deep, signal)),
    answer: once(async () => (url === null ? null : ask(io, url, ca, signal))),
  };
}

/** By trying: the mode alone does not tell. */
function denialOf({ folder, file }: DatabasePlace): string | null {
  for (const path of [`${folder}/.`, file]) {
    try {
      closeSync(openSync(path, "r"));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EACCES") continue;
      const place = path === file ? file : folder;
      return `this user may not look at ${place}${ownerWords(place)}`;
    }
  }
  return null;
}

/** Empty when that cannot be seen either: a folder above it may be closed. */
function ownerWords(path: string): string {
  try {
    return `: it belongs to the user ${userName(statSync(path).uid)}`;
  } catch {
    return "";
  }
}

function once<T>(look: () => Promise<T>): () => Promise<T> {
  let looked: Promise<T> | null = null;
  return () => {
    looked ??= look();
    return looked;
  };
}

async function readFactsOf(file: string): Promise<DatabaseFacts | string> {
  const { openReader, requireDatabase } = await import("../../../../store/engine/sqlite-file.ts");
  const { readFacts } = await import("../../../../store/files/database-facts.ts");
  try {
    requireDatabase(file);
    const connection = openReader(file, busyTimeoutMs);
    try {
      return readFacts(connection);
    } finally {
      connection.close();
    }
  } catch (error) {
    return (error as Error).message;
  }
}

/** Null also for a file that cannot be read: other checks say so. */
async function readUnaccountedOf(file: string, now: number): Promise<Unaccounted | null> {
  const { openReader } = await import("../../../../store/engine/sqlite-file.ts");
  const { readUnaccounted } = await import("../../../../store/audit/unaccounted.ts");
  try {
    const connection = openReader(file, busyTimeoutMs);
    try {
      return readUnaccounted(connection, now);
    } finally {
      connection.close();
    }
  } catch {
    return null;
  }
}

async function examine(
  { file, auditKeyFile }: DatabasePlace,
  deep: boolean,
  signal: AbortSignal,
): Promise<CheckReport | string> {
  const hasKey = existsSync(auditKeyFile);
  const request = { file, auditKeyFile: hasKey ? auditKeyFile : null, deep, draft: false };
  try {
    return await checkInChild(request, signal);
  } catch (error) {
    signal.throwIfAborted();
    return (error as Error).message;
  }
}

async function ask(
  io: Io,
  url: string,
  ca: string | null,
  signal: AbortSignal,
): Promise<ServerAnswer> {
  const userAgent = `platform-doctor/${sourceVersion()}`;
  const proxy = proxyTo(io, url);
  const transport = httpTransport({ url, userAgent, ca: ca ?? undefined, proxy });
  const client = createClient(transport, { signal, timeoutMs: answerMs });
  const nothing = { url, status: "", why: null, version: "", clockAheadMs: 0 };
  try {
    const { status, version, timestamp, database } = await client.call("system.health");
    const clockAheadMs = Date.parse(timestamp) - io.now();
    const why = database?.message ?? null;
    return { url, problem: null, refused: false, status, why, version, clockAheadMs };
  } catch (error) {
    signal.throwIfAborted();
    const refused = error instanceof Unreachable && /connection refused/.test(error.message);
    return { ...nothing, problem: (error as Error).message, refused };
  } finally {
    await client.close();
  }
}
