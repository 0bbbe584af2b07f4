// Reads the URL of a database. What it returns for messages never contains the password.

import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import type { ClientConfig } from "pg";
import { AppError } from "../../../domain/errors.ts";

export interface PostgresTarget {
  /** For `pg`, without TLS. */
  config: ClientConfig;
  /** The URL without the password and the parameters. */
  name: string;
  /** Null for an unencrypted connection. */
  tls: ConnectionOptions | null;
  /** Whether a server without TLS is accepted. */
  plainAllowed: boolean;
}

const parameters = [
  "application_name",
  "connect_timeout",
  "host",
  "options",
  "sslcert",
  "sslkey",
  "sslmode",
  "sslrootcert",
];

/** Throws AppError UNAVAILABLE if the URL cannot be used. */
export function targetOf(url: string): PostgresTarget {
  const parsed = parse(url);
  const { searchParams } = parsed;
  for (const name of searchParams.keys()) {
    if (!parameters.includes(name)) throw invalid(`has an unknown parameter ${name}`);
  }
  const parameter = (name: string) => searchParams.get(name) ?? undefined;
  const database = decodeURIComponent(parsed.pathname.slice(1));
  if (database === "") throw invalid("names no database");
  const host = parameter("host") ?? decodeURIComponent(parsed.hostname.replace(/^\[(.*)\]$/, "$1"));
  const user = decodeURIComponent(parsed.username);
  const config: ClientConfig = {
    host: host || "localhost",
    database,
    ...(parsed.port && { port: Number(parsed.port) }),
    ...(user && { user }),
    ...(parsed.password && { password: decodeURIComponent(parsed.password) }),
    application_name: parameter("application_name") ?? "platform",
    options: parameter("options"),
  };
  const seconds = Number(parameter("connect_timeout"));
  if (seconds > 0) config.connectionTimeoutMillis = seconds * 1000;
  const isSocket = host.startsWith("/");
  const place = isSocket ? host : `${config.host}${parsed.port && `:${parsed.port}`}`;
  return {
    config,
    name: `postgres://${user && `${user}@`}${place}/${database}`,
    ...tlsOf(isSocket ? "disable" : (parameter("sslmode") ?? "prefer"), {
      root: parameter("sslrootcert"),
      certificate: parameter("sslcert"),
      key: parameter("sslkey"),
    }),
  };
}

function parse(url: string): URL {
  // A URL with a socket's folder as a parameter may have an empty host.
  const parsed = URL.parse(url) ?? URL.parse(url.replace("@/", "@localhost/"));
  if (parsed === null || !/^postgres(ql)?:$/.test(parsed.protocol)) {
    throw invalid("must look like postgres://user:password@host:5432/database");
  }
  return parsed;
}

interface TlsFiles {
  root: string | undefined;
  certificate: string | undefined;
  key: string | undefined;
}

/** Modes mean what they mean to PostgreSQL's own programs. */
function tlsOf(mode: string, files: TlsFiles): Pick<PostgresTarget, "tls" | "plainAllowed"> {
  if (mode === "disable") return { tls: null, plainAllowed: true };
  const read = (file: string | undefined) => (file === undefined ? undefined : readTlsFile(file));
  const ca = read(files.root);
  const own = { ca, cert: read(files.certificate), key: read(files.key) };
  const anyName = { ...own, checkServerIdentity: () => undefined };
  switch (mode) {
    case "prefer":
      return { tls: { ...own, rejectUnauthorized: false }, plainAllowed: true };
    case "require":
      // With a root certificate this is verify-ca, as everywhere.
      return { tls: ca ? anyName : { ...own, rejectUnauthorized: false }, plainAllowed: false };
    case "verify-ca":
      if (!ca) throw invalid("needs sslrootcert for sslmode=verify-ca");
      return { tls: anyName, plainAllowed: false };
    case "verify-full":
      return { tls: own, plainAllowed: false };
    default:
      throw invalid("must have an sslmode of disable, prefer, require, verify-ca or verify-full");
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
