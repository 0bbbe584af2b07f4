// The client of a server, over HTTP.

import { type Client, createClient } from "../../client/client.ts";
import { isOpenToOthers } from "../../client/proxy.ts";
import { type HttpTransportOptions, httpTransport } from "../../client/transport-http.ts";
import type { AppError } from "../../domain/errors.ts";
import { CliError, exit } from "../exit.ts";
import { abandoned } from "../terminal/abandoned.ts";
import type { Io } from "../terminal/io.ts";
import { noteLine, tracing } from "../terminal/notes.ts";
import { sourceVersion } from "../version.ts";
import { type ConnectOptions, idempotencyKeyOf } from "./destination.ts";
import { proxyTo } from "./proxy.ts";
import type { ServerDestination } from "./server-destination.ts";
import { hostOf } from "./server-url.ts";

export function connectToServer(
  io: Io,
  destination: ServerDestination,
  options: ConnectOptions,
  signal: AbortSignal,
  more: Pick<HttpTransportOptions, "onCookies"> = {},
): Client {
  const { url, ca, credential } = destination;
  warnOfPlainHttp(io, destination, options);
  const transport = httpTransport({
    url,
    ca,
    proxy: proxyTo(io, url),
    userAgent: `platformctl/${sourceVersion()}`,
    ...(credential.kind === "apiKey" ? { bearer: credential.key } : {}),
    ...(credential.kind === "session" ? { session: credential.session } : {}),
    ...tracing(io, options.debug),
    ...more,
  });
  return createClient(transport, {
    signal,
    ...idempotencyKeyOf(options),
    onAbandoned: abandoned,
    onUnauthorized: (refusal) => signInError(destination, refusal) ?? refusal,
  });
}

/** `login` prints its own warning about the password. */
function warnOfPlainHttp(io: Io, destination: ServerDestination, options: ConnectOptions): void {
  const { url, credential } = destination;
  if (credential.kind !== "apiKey" && credential.kind !== "session") return;
  if (!isOpenToOthers(url)) return;
  const what = credential.kind === "apiKey" ? "API key" : "session";
  const message = `The ${what} goes to ${url} unencrypted: others on the network can read it.`;
  noteLine(io, options, "UNENCRYPTED", message);
}

/** Returns null if the command used neither an API key nor a context. */
function signInError({ url, context, credential }: ServerDestination, refusal: AppError) {
  if (credential.kind === "apiKey") return keyRefused(url, refusal);
  if (context === null) return null;
  const what =
    credential.kind === "session" ? "your session has ended" : `you are signed out of ${url}`;
  const name = context === hostOf(url) ? "" : ` --name ${context}`;
  const message = `${what}: platformctl login --server ${url}${name}`;
  return new CliError(exit.notAllowed, message, { code: refusal.code });
}

/** Signing in would not help, because the variable overrides every session. */
function keyRefused(url: string, { code, message }: AppError): CliError {
  const advice = "Set another key, or unset it to use the session of `platformctl login`.";
  const text = `${url} refused the API key in PLATFORM_API_KEY: ${message} ${advice}`;
  return new CliError(exit.notAllowed, text, { code });
}
