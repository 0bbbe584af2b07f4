// `platform ready`: waits until the server of this host may be given work. For units and scripts that
// start it. Whoever else listens on its port is not taken for it.

import { setTimeout as pause } from "node:timers/promises";
import { type Client, createClient } from "../../../client/client.ts";
import { ServerError } from "../../../client/failures.ts";
import { httpTransport } from "../../../client/transport-http.ts";
import { Unreachable } from "../../../client/unreachable.ts";
import { loadConfig } from "../../../config/config.ts";
import { AppError } from "../../../domain/errors.ts";
import { formatDuration } from "../../../lib/duration.ts";
import type { Invocation } from "../../command.ts";
import { listenerUrl } from "../../connecting/own-server.ts";
import { CliError, exit, usageError } from "../../exit.ts";
import { givenFlags, namingFlags } from "../../server-flags.ts";
import { sourceVersion } from "../../version.ts";

const lookEveryMs = 200;
const answerMs = 5000;

/** Throws a CliError when the time is over, or the process that is waited for has ended. */
export async function awaitReady({ io, options, signal }: Invocation): Promise<void> {
  const { timeout, pid } = options as { timeout: number; pid?: number };
  const flags = givenFlags(options);
  const config = await namingFlags(flags, () =>
    loadConfig({ ...io.env, ...flags.values }, sourceVersion()),
  );
  if (config.port === 0) throw unknownPort(flags.flagOf("PORT"));
  const url = listenerUrl(config);
  const transport = httpTransport({
    url,
    userAgent: `platform-ready/${sourceVersion()}`,
    // Of another name than this host's, perhaps; no secret is sent there.
    insecureSkipTlsVerify: true,
    proxy: undefined,
  });
  const client = createClient(transport, { signal, timeoutMs: answerMs });
  const deadline = io.now() + timeout * 1000;
  try {
    while (true) {
      const found = await ask(client);
      // Also with an answer: the process has ended when another server has its port.
      if (pid !== undefined && !isAlive(pid)) throw ended(pid);
      if (found.who === "server" && found.problem === null) return;
      if (io.now() >= deadline) throw notReady(url, timeout, found);
      await pause(lookEveryMs, undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  } finally {
    await client.close();
  }
}

type Found = { who: "nobody" | "stranger" } | { who: "server"; problem: string | null };

/** A server that knows itself by another name only is taken for ready: it says nothing else. */
async function ask(client: Client): Promise<Found> {
  try {
    const report: { ready?: unknown; message?: unknown } = await client.call("system.ready");
    if (typeof report?.ready !== "boolean") return { who: "stranger" };
    return { who: "server", problem: report.ready ? null : String(report.message) };
  } catch (error) {
    if (error instanceof Unreachable) return { who: "nobody" };
    if (error instanceof ServerError) return { who: "stranger" };
    if (!(error instanceof AppError)) throw error;
    if (error.code !== "MISDIRECTED_HOST") return { who: "stranger" };
    return { who: "server", problem: null };
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Of another user: it is there.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

function ended(pid: number): CliError {
  return new CliError(exit.failed, `the server (process ${pid}) has ended: its log says why.`, {
    code: "SERVER_ENDED",
  });
}

function notReady(url: string, timeout: number, found: Found): CliError {
  const after = `after ${formatDuration(timeout)}`;
  return new CliError(exit.stillPending, say(), { code: "NOT_READY" });

  function say(): string {
    switch (found.who) {
      case "nobody":
        return `no answer from ${url} ${after}: its log says why.`;
      case "stranger":
        return `what answers at ${url} is not this server, which is not ready ${after}: its log says why.`;
      case "server":
        return `the server at ${url} is not ready ${after}: ${found.problem}`;
    }
  }
}

function unknownPort(flag: string | null): CliError {
  const setting = flag ?? "PLATFORM_PORT";
  return usageError(
    `${setting} 0 takes a free port, and only the server's log says which: set one to wait for.`,
  );
}
