import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Untrusted } from "../../../client/unreachable.ts";
import { clockText, isClockOff } from "../../../domain/fleet/clock-skew.ts";
import { counted } from "../../../lib/counted.ts";
import { messageOf } from "../../connection/errors.ts";
import { openClient } from "../../connection/own-client.ts";
import { settingsOf } from "../../settings.ts";
import { agentOptionsOf } from "../agent-options.ts";
import type { ConfigFile } from "../config/config-file.ts";
import { pathIn } from "../config/config-origin.ts";
import { type Check, type CheckResult, failure, ok, warning } from "./check.ts";
import { callTimeoutMs, serverChecks } from "./server-checks.ts";

export function agentChecks(file: ConfigFile): Check[] {
  return [
    { service: null, what: "file", run: async () => checkFile(file) },
    { service: null, what: "server", run: (signal) => checkServer(file, signal) },
    { service: null, what: "state folder", run: () => checkStateFolder(file) },
    ...serverChecks(file),
  ];
}

function checkFile({ config, warnings }: ConfigFile): CheckResult {
  if (warnings.length > 0) return warning(warnings.join("; "));
  return ok(counted(config.services.length, "service"));
}

async function checkServer({ config, origin }: ConfigFile, signal: AbortSignal) {
  const { server: url, way } = settingsOf(await agentOptionsOf(config, origin));
  await using client = openClient(url, way);
  const sentAt = performance.now();
  try {
    const reply = await client.call("system.health", {}, { signal, timeoutMs: callTimeoutMs });
    const { message, warning: doubt } = reply.database;
    const why = message ?? doubt;
    const found = `${url} is ${reply.status}, version ${reply.version}${why ? `: ${why}` : ""}`;
    if (reply.status === "DOWN") return failure(found);
    const doubts = [
      ...(way.insecureSkipTlsVerify ? ["its certificate was not verified"] : []),
      ...doubtsOfClock(reply.timestamp, performance.now() - sentAt),
    ];
    return doubts.length > 0 ? warning([found, ...doubts].join("; ")) : ok(found);
  } catch (error) {
    signal.throwIfAborted();
    const hint = error instanceof Untrusted ? ": set caFile to its CA" : "";
    return failure(messageOf(error) + hint);
  }
}

function doubtsOfClock(serverTime: string, tookMs: number): string[] {
  const skewMs = Date.now() - Date.parse(serverTime);
  if (!isClockOff(Math.max(0, Math.abs(skewMs) - tookMs))) return [];
  return [
    `the clock of this host is ${clockText(skewMs)}: correct the wrong clock, for example with NTP`,
  ];
}

async function checkStateFolder({ config, origin }: ConfigFile): Promise<CheckResult> {
  const path = pathIn(origin, config.stateDir);
  const found = await stat(path).catch(() => null);
  if (found === null) {
    const parent = await nearestFolder(path);
    const canBeCreated = await isUsable(parent);
    return canBeCreated
      ? ok(`${path} will be created`)
      : failure(`${path} cannot be created: this user cannot write to ${parent}`);
  }
  if (!found.isDirectory()) return failure(`${path} is not a folder`);
  if (!(await isUsable(path))) return failure(`this user cannot write to ${path}`);
  if ((found.mode & 0o077) !== 0) return warning(`other users can access ${path}: run chmod 700`);
  return ok(path);
}

async function nearestFolder(path: string): Promise<string> {
  const parent = dirname(path);
  const found = await stat(parent).catch(() => null);
  return found || parent === path ? parent : nearestFolder(parent);
}

async function isUsable(folder: string): Promise<boolean> {
  const { R_OK, W_OK, X_OK } = constants;
  return access(folder, R_OK | W_OK | X_OK).then(
    () => true,
    () => false,
  );
}
