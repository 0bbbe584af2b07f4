// `platform ready`: waits for this host's server. Neither another program on its port nor a server
// with another audit key counts.

import { type Client, createClient } from "../../../client/client.ts";
import { ServerError } from "../../../client/failures.ts";
import { httpTransport } from "../../../client/transport-http.ts";
import { Unreachable } from "../../../client/unreachable.ts";
import { loadConfig } from "../../../config/config.ts";
import { AppError } from "../../../domain/errors.ts";
import { type Place, placeOf } from "../../../domain/storage/place.ts";
import { formatDuration } from "../../../lib/duration.ts";
import { pauseOrAborted } from "../../../lib/time-limit.ts";
import type { Invocation } from "../../command.ts";
import { listenerUrl, ownInstallationId } from "../../connecting/own-server.ts";
import { CliError, exit, usageError } from "../../exit.ts";
import { givenFlags, namingFlags } from "../../server-flags.ts";
import { sourceVersion } from "../../version.ts";

const lookEveryMs = 200;
const answerMs = 5000;

/** Throws a CliError after the timeout, or when the process of `--pid` has exited. */
export async function awaitReady({ io, options, signal }: Invocation): Promise<void> {
  const { timeout, pid } = options as { timeout: number; pid?: number };
  const flags = givenFlags(options);
  const config = await namingFlags(flags, () =>
    loadConfig({ ...io.env, ...flags.values }, sourceVersion()),
  );
  if (config.port === 0) throw unknownPort(flags.flagOf("PORT"));
  const url = listenerUrl(config);
  const place = placeOf(config);
  const userAgent = `platform-ready/${sourceVersion()}`;
  // The certificate can name a host other than this one. No secret is sent.
  const unchecked = { insecureSkipTlsVerify: true, proxy: undefined };
  const transport = httpTransport({ url, userAgent, ...unchecked });
  const client = createClient(transport, { signal, timeoutMs: answerMs });
  const deadline = performance.now() + timeout * 1000;
  try {
    while (true) {
      const found = await ask(client, place);
      // Checked after the response, because another server may be using the port.
      if (pid !== undefined && !isAlive(pid)) throw ended(pid);
      if (found.who === "server" && found.problem === null) {
        if (io.interactive) io.note(`The server at ${url} is ready.\n`);
        return;
      }
      if (performance.now() >= deadline) throw notReady(url, timeout, found);
      await pauseOrAborted(lookEveryMs, signal);
    }
  } finally {
    await client.close();
  }
}

type Found = { who: "nobody" | "stranger" | "other" } | { who: "server"; problem: string | null };

/** A server that refuses this host name counts as ready, because it returns nothing else. */
async function ask(client: Client, place: Place): Promise<Found> {
  try {
    const report: { ready?: unknown; message?: unknown } = await client.call("system.ready");
    if (typeof report?.ready !== "boolean") return { who: "stranger" };
    if (report.ready && !(await isOurs(client, place))) return { who: "other" };
    return { who: "server", problem: report.ready ? null : String(report.message) };
  } catch (error) {
    if (error instanceof Unreachable) return { who: "nobody" };
    if (error instanceof ServerError) return { who: "stranger" };
    if (!(error instanceof AppError)) throw error;
    if (error.code !== "MISDIRECTED_HOST") return { who: "stranger" };
    return { who: "server", problem: null };
  }
}

/** Also true if this user cannot read the audit key. */
async function isOurs(client: Client, place: Place): Promise<boolean> {
  const own = await ownInstallationId(place);
  if (own === null) return true;
  const { installationId = own } = await client.call("system.health");
  return installationId === own;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function ended(pid: number): CliError {
  const message = `the server (process ${pid}) has exited: see its log.`;
  return new CliError(exit.failed, message, { code: "SERVER_ENDED" });
}

function notReady(url: string, timeout: number, found: Found): CliError {
  const after = `after ${formatDuration(timeout)}`;
  const messages = {
    nobody: `no response from ${url} ${after}: see the server's log.`,
    stranger: `another program responds at ${url}; this server is not ready ${after}: see its log.`,
    other: `a server with another audit key responds at ${url}; this server is not ready ${after}: see its log. Give ready the same settings as serve.`,
    server: `the server at ${url} is not ready ${after}: ${"problem" in found ? found.problem : ""}`,
  };
  return new CliError(exit.stillPending, messages[found.who], { code: "NOT_READY" });
}

function unknownPort(flag: string | null): CliError {
  const setting = flag ?? "PLATFORM_PORT";
  return usageError(
    `${setting} 0 chooses a free port, which only the server's log shows: set a fixed port.`,
  );
}
