// Derives the settings of a connection from a database's URL.

import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import type { ClientConfig } from "pg";
import { AppError } from "../../../../domain/errors.ts";
import {
  BadPostgresUrl,
  type PostgresUrl,
  parsePostgresUrl,
} from "../../../../lib/postgres-url.ts";

export interface PostgresAddress {
  /** The settings for `pg`, except TLS. */
  config: ClientConfig;
  /** The URL without the password and the parameters. */
  name: string;
  /** Null for an unencrypted connection. */
  tls: ConnectionOptions | null;
  /** Whether a server without TLS is accepted. */
  plainAllowed: boolean;
}

/** Throws AppError UNAVAILABLE if the URL cannot be used. */
export function addressOf(url: string): PostgresAddress {
  const { host, port, user, password, database, parameters, name } = parsed(url);
  const config: ClientConfig = {
    host,
    database,
    ...(port && { port: Number(port) }),
    ...(user && { user }),
    ...(password && { password }),
    application_name: parameters.get("application_name") ?? "platform",
    options: parameters.get("options"),
  };
  const seconds = Number(parameters.get("connect_timeout"));
  if (seconds > 0) config.connectionTimeoutMillis = seconds * 1000;
  const mode = host.startsWith("/") ? "disable" : (parameters.get("sslmode") ?? "prefer");
  return {
    config,
    name,
    ...tlsOf(mode, {
      root: parameters.get("sslrootcert"),
      certificate: parameters.get("sslcert"),
      key: parameters.get("sslkey"),
    }),
  };
}

function parsed(url: string): PostgresUrl {
  try {
    return parsePostgresUrl(url);
  } catch (error) {
    if (error instanceof BadPostgresUrl) throw invalid(error.message);
    throw error;
  }
}

interface TlsFiles {
  root: string | undefined;
  certificate: string | undefined;
  key: string | undefined;
}

/** The modes have the same meaning as in PostgreSQL's own programs. */
function tlsOf(mode: string, files: TlsFiles): Pick<PostgresAddress, "tls" | "plainAllowed"> {
  if (mode === "disable") return { tls: null, plainAllowed: true };
  const read = (file: string | undefined) => (file === undefined ? undefined : readTlsFile(file));
  const ca = read(files.root);
  const own = { ca, cert: read(files.certificate), key: read(files.key) };
  const anyName = { ...own, checkServerIdentity: () => undefined };
  switch (mode) {
    case "prefer":
      return { tls: { ...own, rejectUnauthorized: false }, plainAllowed: true };
    case "require":
      // With a root certificate, this means verify-ca, as in PostgreSQL's own programs.
      return { tls: ca ? anyName : { ...own, rejectUnauthorized: false }, plainAllowed: false };
    case "verify-ca":
      return { tls: anyName, plainAllowed: false };
    default:
      return { tls: own, plainAllowed: false };
  }
}

function readTlsFile(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw invalid(`names a file that cannot be read: ${(error as Error).message}`);
  }
}

/** The URL itself is not in the message, because it contains the password. */
function invalid(problem: string): AppError {
  return new AppError("UNAVAILABLE", `The URL of the PostgreSQL database ${problem}.`);
}
