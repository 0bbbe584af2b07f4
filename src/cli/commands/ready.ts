// `platform ready`: waits until the server of this host answers. For units and scripts that start it.

import { setTimeout as pause } from "node:timers/promises";
import { createClient } from "../../client/client.ts";
import { httpTransport } from "../../client/transport-http.ts";
import { Unreachable, Untrusted } from "../../client/unreachable.ts";
import { loadConfig } from "../../config/config.ts";
import { formatDuration } from "../../lib/duration.ts";
import type { Invocation } from "../command.ts";
import { CliError, exit } from "../exit.ts";
import { listenerUrl, ownCertificate } from "../own-server.ts";
import { givenFlags, namingFlags } from "../server-flags.ts";
import { sourceVersion } from "../version.ts";

const lookEveryMs = 200;
const answerMs = 5000;

/** Throws a CliError when the time is over, or the process that shall answer has ended. */
export async function awaitReady({ io, options, signal }: Invocation): Promise<void> {
  const { timeout, pid } = options as { timeout: number; pid?: number };
  const flags = givenFlags(options);
  const config = await namingFlags(flags, () =>
    loadConfig({ ...io.env, ...flags.values }, sourceVersion()),
  );
  const url = listenerUrl(config);
  const transport = httpTransport({
    url,
    userAgent: `platform-ready/${sourceVersion()}`,
    ca: ownCertificate(config) ?? undefined,
    proxy: undefined,
  });
  const client = createClient(transport, { signal, timeoutMs: answerMs });
  const deadline = io.now() + timeout * 1000;
  try {
    while (!(await answers(() => client.call("system.health")))) {
      if (pid !== undefined && !isAlive(pid)) throw ended(pid);
      if (io.now() >= deadline) throw stillSilent(url, timeout);
      await pause(lookEveryMs, undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  } finally {
    await client.close();
  }
}

/** Whatever is answered, a refusal too, and a certificate of another name: somebody is there. */
async function answers(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask();
    return true;
  } catch (error) {
    if (error instanceof Unreachable) return error instanceof Untrusted;
    if ((error as Error).name === "Interrupted") throw error;
    return true;
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
  return new CliError(
    exit.failed,
    `the server (process ${pid}) has ended and never answered: its log says why.`,
    { code: "SERVER_ENDED" },
  );
}

function stillSilent(url: string, timeout: number): CliError {
  return new CliError(
    exit.stillPending,
    `no answer from ${url} after ${formatDuration(timeout)}: its log says why.`,
    { code: "NOT_READY" },
  );
}
