// Asks the server whether it accepts the agent's credential and the service codes. This uses up no
// registration token and does not count as a heartbeat.

import { join } from "node:path";
import { flawOfRegistrationToken, isWellFormedToken } from "../../../domain/access/credentials.ts";
import { AppError, type ErrorCode } from "../../../domain/errors.ts";
import type { RejectedService } from "../../../domain/fleet/service-claims.ts";
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

interface Outcome {
  token: CheckResult;
  /** This is null if no token was accepted. */
  rejected: RejectedService[] | null;
}

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
    check("token", ({ token }) => token),
    check("service codes", ({ rejected }) =>
      rejected === null ? notAsked : codesResult(file, rejected),
    ),
  ];
}

const notAccepted = (token: CheckResult): Outcome => ({ token, rejected: null });
const notAsked = warning("not checked: the server requires a valid token");

/** Tries the tokens in the order in which the agent uses them. */
async function askServer(file: ConfigFile, signal: AbortSignal): Promise<Outcome> {
  const { agentToken, whose } = await storedToken(file, signal);
  if (agentToken === null) return askWithRegistrationToken(file, whose, signal);
  try {
    const rejected = await rejectedFor(file, agentToken, signal);
    return { token: ok(whose), rejected };
  } catch (error) {
    signal.throwIfAborted();
    if (codeOf(error) !== "UNAUTHORIZED") return notAccepted(refusal(file, whose, error));
    return askWithRegistrationToken(file, `${whose}, but the server refuses its token`, signal);
  }
}

async function askWithRegistrationToken(
  file: ConfigFile,
  whose: string,
  signal: AbortSignal,
): Promise<Outcome> {
  let token: string;
  try {
    token = await file.registrationToken();
  } catch (error) {
    return notAccepted(failure(`${whose}, and ${messageOf(error)}: run platformctl tokens create`));
  }
  if (!isWellFormedToken("registration", token)) {
    const flaw = flawOfRegistrationToken(token);
    return notAccepted(failure(`${whose}, and the registration token ${flaw}`));
  }
  try {
    const rejected = await rejectedFor(file, token, signal);
    return { token: ok(`${whose}; the registration token is valid`), rejected };
  } catch (error) {
    signal.throwIfAborted();
    return notAccepted(refusal(file, whose, error, "; a registration token is set"));
  }
}

async function rejectedFor({ config, origin }: ConfigFile, token: string, signal: AbortSignal) {
  const { server, way } = settingsOf(await agentOptionsOf(config, origin));
  await using client = openClient(server, way, token);
  const { agent, services } = config;
  const body = { agent: { code: agent.code }, services: services.map(({ code }) => code) };
  const reply = await client.call("agent.check", { body }, { signal, timeoutMs: callTimeoutMs });
  return reply.rejected;
}

/** The token is null if this server must not get it, or if none is stored for this agent. */
async function storedToken(file: ConfigFile, signal: AbortSignal) {
  const { config, origin } = file;
  const { agent } = config;
  const stored = await fileTokenStore(join(pathIn(origin, config.stateDir), "token.json")).read();
  if (stored === null) return { agentToken: null, whose: "not registered" };
  const elsewhere = `registered as ${stored.agentCode} at ${stored.server}`;
  if (stored.agentCode !== agent.code) return { agentToken: null, whose: elsewhere };
  const problem = await problemOf(stored, file, signal);
  if (problem === null) {
    const { agentToken, agentId } = stored;
    return { agentToken, whose: `registered as ${agent.code} (${agentId})` };
  }
  return { agentToken: null, whose: problem === "" ? elsewhere : `${elsewhere} (${problem})` };
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

/** With these codes, the server does not say whether it accepts the token. */
const undecided: ErrorCode[] = ["NOT_FOUND", "UNAVAILABLE", "INTERNAL_ERROR", "RATE_LIMITED"];

function refusal({ config }: ConfigFile, whose: string, error: unknown, given = "") {
  if (error instanceof AppError && !undecided.includes(error.code)) {
    return failure(
      `${whose}: ${error.message} ${remedyOf(error.code, config.agent.code)}`.trimEnd(),
    );
  }
  const why = codeOf(error) === "NOT_FOUND" ? "the server is too old" : messageOf(error);
  return warning(`${whose}${given}; not checked: ${why}`);
}

function codesResult({ config }: ConfigFile, rejected: RejectedService[]): CheckResult {
  const { length } = config.services;
  if (rejected.length === 0) return ok(length === 1 ? "1 is free" : `all ${length} are free`);
  const problems = rejected.map(({ code, reason, agentCode }) =>
    reason === "SERVICE_CODE_TAKEN"
      ? `${code}: belongs to the agent ${agentCode}`
      : `${code}: this agent would have more services than the server allows`,
  );
  return failure(problems.join("; "));
}
