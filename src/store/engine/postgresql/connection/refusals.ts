// Explains why a database cannot be opened, and what to do about it. The message never contains the
// password.

import { AppError } from "../../../../domain/errors.ts";
import type { PostgresAddress } from "./address.ts";
import { ConnectionLost } from "./losses.ts";

/** Advice for some of PostgreSQL's errors, by error code. */
const advice: Record<string, (address: PostgresAddress) => string> = {
  "28P01": () => "check the user name and the password",
  "28000": () => "check the user name, the database and the server's pg_hba.conf",
  "3D000": ({ config }) => `create it: CREATE DATABASE "${config.database}"`,
  "42501": ({ config }) =>
    `let this user create tables: ALTER DATABASE "${config.database}" OWNER TO "${config.user ?? "…"}"`,
  "53300": () => "raise the server's max_connections, or stop a program that uses connections",
};

export function refusal(address: PostgresAddress, error: unknown): AppError {
  if (error instanceof AppError) return error;
  const reason = error instanceof ConnectionLost ? error.cause : error;
  const { code } = reason as { code?: unknown };
  const help = typeof code === "string" ? advice[code]?.(address) : undefined;
  const message = `Cannot use the database ${address.name}: ${messageOf(reason)}${help ? `; ${help}` : ""}.`;
  return new AppError("UNAVAILABLE", message, { cause: error });
}

/** Node reports the attempts on several addresses in one error without a message. */
function messageOf(error: unknown): string {
  const { errors, message } = error as AggregateError;
  if (message === "" && errors?.[0]) return messageOf(errors[0]);
  return message.replace(/\.$/, "");
}
