// Reads the URL of a PostgreSQL database. No message contains the password, not even a part of it
// that is elsewhere in the URL because characters are not encoded.

/** The message follows the setting's name, or "the URL of the PostgreSQL database". */
export class BadPostgresUrl extends Error {}

export interface PostgresUrl {
  host: string;
  /** As it was written; empty for the default port. */
  port: string;
  user: string;
  password: string;
  database: string;
  parameters: ReadonlyMap<string, string>;
  /** For messages: the URL without the password and the parameters. */
  name: string;
  /** The URL without the password, as PostgreSQL's own programs accept it. */
  withoutPassword: string;
}

const known = [
  "application_name",
  "connect_timeout",
  "host",
  "options",
  "sslcert",
  "sslkey",
  "sslmode",
  "sslrootcert",
];

const form = "postgres://user:password@host:5432/database";
/** Follows "but" in a message. */
export const postgresUrlForm = `the URL of a PostgreSQL database is ${form}`;

const modes = ["disable", "prefer", "require", "verify-ca", "verify-full"];

export function isPostgresUrl(text: string): boolean {
  return /^postgres(ql)?:/i.test(text);
}

/**
 * Whether a path looks like a mistyped URL, such as `postgres//user:password@host/database`. It
 * could contain a password, and paths are shown.
 */
export function resemblesUrl(path: string): boolean {
  return path.includes("://") || /:.*@/s.test(path);
}

/** Throws BadPostgresUrl. */
export function parsePostgresUrl(text: string): PostgresUrl {
  const url = parse(text);
  if (`${url.pathname}${url.search}${url.hash}`.includes("@") || url.hash !== "") {
    throw new BadPostgresUrl(
      "has a user name or password in which /, ?, # or @ is not written as %2F, %3F, %23 or %40",
    );
  }
  const database = decoded(url.pathname.slice(1));
  if (database === "") throw new BadPostgresUrl("names no database");
  const parameters = new Map(url.searchParams);
  const unknown = [...parameters.keys()].find((name) => !known.includes(name));
  if (unknown !== undefined) throw new BadPostgresUrl(`has an unknown parameter ${unknown}`);
  const mode = parameters.get("sslmode");
  if (mode !== undefined && !modes.includes(mode)) {
    throw new BadPostgresUrl(
      `must have an sslmode of ${modes.slice(0, -1).join(", ")} or ${modes.at(-1)}`,
    );
  }
  if (mode === "verify-ca" && !parameters.has("sslrootcert")) {
    throw new BadPostgresUrl("needs sslrootcert for sslmode=verify-ca");
  }
  const user = decoded(url.username);
  const host = parameters.get("host") ?? decoded(url.hostname.replace(/^\[(.*)\]$/, "$1"));
  const bare = new URL(url);
  bare.password = "";
  const named = host.startsWith("/") ? host : `${host}${url.port && `:${url.port}`}`;
  const place = parameters.has("host") ? named : url.host || "localhost";
  return {
    host: host || "localhost",
    port: url.port,
    user,
    password: decoded(url.password),
    database,
    parameters,
    name: `postgres://${user && `${user}@`}${place}/${database}`,
    withoutPassword: bare.href,
  };
}

function parse(text: string): URL {
  // A URL with a socket's folder as a parameter may have an empty host.
  const url = URL.parse(text) ?? URL.parse(text.replace("@/", "@localhost/"));
  if (url !== null && /^postgres(ql)?:\/\//i.test(text)) return url;
  throw new BadPostgresUrl(`must look like ${form}`);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new BadPostgresUrl("is a URL, so write % as %25");
  }
}
