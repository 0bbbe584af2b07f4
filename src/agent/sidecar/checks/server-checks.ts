// One call to the server checks the credential and the service codes. It uses up no registration
// token and does not count as a heartbeat.

import { join } from "node:path";
import { flawOfRegistrationToken, isWellFormedToken } from "../../../domain/credentials.ts";
import { AppError } from "../../../domain/errors.ts";
import type { RejectedService } from "../../../domain/service-claims.ts";
import { remedyOf } from "../../connection/enrollment.ts";
import { messageOf } from "../../connection/errors.ts";
import { codeOf } from "../../connection/failures.ts";
import { openClient } from "../../connection/own-client.ts";
import { problemOfServer } from "../../connection/server-change.ts";
import { fileTokenStore, type Identity } from "../../connection/token-store.ts";
import { settingsOf } from "../../settings.ts";
import { agentOptionsOf } from "../agent-options.ts";
import type { ConfigFile } from "../config/config-file.ts";
import { pathIn } from "../config/config-origin.ts";
import { type Check, type CheckResult, failure, ok, warning } from "./check.ts";

export const callTimeoutMs = 10_000;

interface Credential {
  kind: "registration" | "agent";
  token: string;
  whose: string;
}

/** The results if the call was not possible. */
interface NoOutcome {
  token: CheckResult;
  services: CheckResult;
}

type Outcome = { credential: Credential; rejected: RejectedService[] } | NoOutcome;

export function serverChecks(file: ConfigFile): Check[] {
  let asked: Promise<Outcome> | null = null;
  const ask = (signal: AbortSignal) => {
    asked ??= askServer(file, signal);
    return asked;
  };
  const check = (what: string, resultOf: (outcome: Outcome) => CheckResult): Check => {
    return { service: null, what, run: async (signal) => resultOf(await ask(signal)) };
  };
  return [
    check("token", (outcome) =>
      "rejected" in outcome ? ok(inUse(outcome.credential)) : outcome.token,
    ),
    check("service codes", (outcome) =>
      "rejected" in outcome ? codesResult(file, outcome.rejected) : outcome.services,
    ),
  ];
}

async function askServer(file: ConfigFile, signal: AbortSignal): Promise<Outcome> {
  const credential = await credentialOf(file, signal);
  if ("state" in credential) return { token: credential, services: notAsked };
  const { server, way } = settingsOf(await agentOptionsOf(file.config, file.origin));
  await using client = openClient(server, way, credential.token);
  const { agent, services } = file.config;
  const body = { agent: { code: agent.code }, services: services.map(({ code }) => code) };
  try {
    const call = { signal, timeoutMs: callTimeoutMs };
    const { rejected } = await client.call("agent.check", { body }, call);
    return { credential, rejected };
  } catch (error) {
    signal.throwIfAborted();
    return { token: refusal(file, credential, error), services: notAsked };
  }
}

const notAsked = warning("not checked: the server requires a valid token");

async function credentialOf(file: ConfigFile, signal: AbortSignal) {
  const { config, origin, registrationToken } = file;
  const { agent } = config;
  const stored = await fileTokenStore(join(pathIn(origin, config.stateDir), "token.json")).read();
  let whose = stored ? `registered as ${stored.agentCode} at ${stored.server}` : "not registered";
  if (stored?.agentCode === agent.code) {
    const problem = await problemOf(stored, file, signal);
    if (problem === null) {
      const kept = `registered as ${agent.code} (${stored.agentId})`;
      return { kind: "agent", token: stored.agentToken, whose: kept } satisfies Credential;
    }
    if (problem !== "") whose += ` (${problem})`;
  }
  let token: string;
  try {
    token = await registrationToken();
  } catch (error) {
    return failure(`${whose}, and ${messageOf(error)}: run platformctl tokens create`);
  }
  if (!isWellFormedToken("registration", token)) {
    return failure(`${whose}, and the registration token ${flawOfRegistrationToken(token)}`);
  }
  return { kind: "registration", token, whose } satisfies Credential;
}

/**
 * Returns null if this server issued the token. Returns an empty text if the server does not
 * respond, because the check `server` reports that.
 */
async function problemOf(stored: Identity, { config, origin }: ConfigFile, signal: AbortSignal) {
  const settings = settingsOf(await agentOptionsOf(config, origin));
  if (stored.server === settings.server) return null;
  const soon = AbortSignal.any([signal, AbortSignal.timeout(callTimeoutMs)]);
  return problemOfServer(settings, stored, soon).catch(() => {
    signal.throwIfAborted();
    return "";
  });
}

function inUse({ kind, whose }: Credential): string {
  return kind === "agent" ? whose : `${whose}; the registration token is valid`;
}

function refusal({ config }: ConfigFile, { kind, whose }: Credential, error: unknown) {
  if (error instanceof AppError && error.code !== "NOT_FOUND" && error.code !== "UNAVAILABLE") {
    if (error.code === "RATE_LIMITED") return warning(`${whose}; not checked: ${error.message}`);
    return failure(`${whose}: ${error.message} ${remedyOf(error.code, config.agent.code)}`);
  }
  const given = kind === "agent" ? "" : "; a registration token is set";
  const why = codeOf(error) === "NOT_FOUND" ? "the server is too old" : messageOf(error);
  return warning(`${whose}${given}; not checked: ${why}`);
}

function codesResult({ config }: ConfigFile, rejected: RejectedService[]): CheckResult {
  const { length } = config.services;
  if (rejected.length === 0) return ok(length === 1 ? "1 is free" : `all ${length} are free`);
  const problems = rejected.map(({ code, reason, agentCode }) =>
    reason === "SERVICE_CODE_TAKEN"
      ? `${code}: belongs to the agent ${agentCode}, which is online`
      : `${code}: this agent would have more services than the server allows`,
  );
  return failure(problems.join("; "));
}
