// Could the agent run: is the server there, can its folder be used, has it something to register with?
// No token is used up by looking.

import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { createClient } from "../../../client/client.ts";
import { httpTransport } from "../../../client/transport-http.ts";
import { Untrusted } from "../../../client/unreachable.ts";
import { messageOf } from "../../connection/errors.ts";
import { userAgent } from "../../connection/user-agent.ts";
import { settingsOf } from "../../settings.ts";
import { agentOptionsOf } from "../agent-options.ts";
import type { ConfigFile } from "../config/config-file.ts";
import { pathIn } from "../place.ts";
import { type Check, type CheckResult, failure, ok, warning } from "./check.ts";
import { answerMs, serverChecks } from "./server-checks.ts";

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
  const { length } = config.services;
  return ok(`${length} ${length === 1 ? "service" : "services"}`);
}

async function checkServer({ config, place }: ConfigFile, signal: AbortSignal) {
  const { server: url, way } = settingsOf(await agentOptionsOf(config, place));
  const client = createClient(httpTransport({ url, userAgent, ...way }));
  try {
    const answer = await client.call("system.health", {}, { signal, timeoutMs: answerMs });
    const found = `${url} is ${answer.status}, version ${answer.version}`;
    if (answer.status === "DOWN") return failure(found);
    return way.insecureSkipTlsVerify
      ? warning(`${found}; its certificate was not checked`)
      : ok(found);
  } catch (error) {
    signal.throwIfAborted();
    const hint = error instanceof Untrusted ? ": name its authority as caFile" : "";
    return failure(messageOf(error) + hint);
  } finally {
    await client.close();
  }
}

async function checkStateFolder({ config, place }: ConfigFile): Promise<CheckResult> {
  const path = pathIn(place, config.stateDir);
  const found = await stat(path).catch(() => null);
  if (found === null) {
    const parent = await nearestFolder(path);
    const canBeMade = await isUsable(parent);
    return canBeMade
      ? ok(`${path} will be made`)
      : failure(`${path} cannot be made: this user may not write to ${parent}`);
  }
  if (!found.isDirectory()) return failure(`${path} is no folder`);
  if (!(await isUsable(path))) return failure(`this user may not write to ${path}`);
  if ((found.mode & 0o077) !== 0) return warning(`others may look into ${path}: chmod 700`);
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
