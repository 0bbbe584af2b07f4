// What the server would say to the agent: can its credential be used, are the codes of its services free?
// One call for both; it uses nothing up, and is no sign of life.

import { join } from "node:path";
import { type Client, createClient } from "../../../client/client.ts";
import { httpTransport } from "../../../client/transport-http.ts";
import { isWellFormedToken } from "../../../domain/credentials.ts";
import { AppError } from "../../../domain/errors.ts";
import type { RejectedService } from "../../../domain/service-claims.ts";
import { remedyOf } from "../../connection/admission.ts";
import { messageOf } from "../../connection/errors.ts";
import { codeOf } from "../../connection/failures.ts";
import { problemOfServer } from "../../connection/server-change.ts";
import { fileTokenStore, type Identity } from "../../connection/token-store.ts";
import { userAgent } from "../../connection/user-agent.ts";
import { settingsOf } from "../../settings.ts";
import { agentOptionsOf } from "../agent-options.ts";
import type { ConfigFile } from "../config/config-file.ts";
import { pathIn } from "../place.ts";
import { type Check, type CheckResult, failure, ok, warning } from "./check.ts";

export const answerMs = 10_000;

interface Credential {
  kind: "registration" | "agent";
  token: string;
  /** In words, for the check's result. */
  whose: string;
}

/** Why there is no answer, and what each of the checks says of that. */
interface NoAnswer {
  token: CheckResult;
  services: CheckResult;
}

type Answer = { credential: Credential; rejected: RejectedService[] } | NoAnswer;

export function serverChecks(file: ConfigFile): Check[] {
  let asked: Promise<Answer> | null = null;
  const ask = (signal: AbortSignal) => {
    asked ??= answerTo(file, signal);
    return asked;
  };
  const check = (what: string, resultOf: (answer: Answer) => CheckResult): Check => {
    return { service: null, what, run: async (signal) => resultOf(await ask(signal)) };
  };
  return [
    check("token", (answer) =>
      "rejected" in answer ? ok(inUse(answer.credential)) : answer.token,
    ),
    check("service codes", (answer) =>
      "rejected" in answer ? codesResult(file, answer.rejected) : answer.services,
    ),
  ];
}

async function answerTo(file: ConfigFile, signal: AbortSignal): Promise<Answer> {
  const credential = await credentialOf(file, signal);
  if ("state" in credential) return { token: credential, services: notAsked };
  const client = await clientFor(file, credential);
  const { agent, services } = file.config;
  const body = { agent: { code: agent.code }, services: services.map(({ code }) => code) };
  try {
    const call = { signal, timeoutMs: answerMs };
    const { rejected } = await client.call("agent.check", { body }, call);
    return { credential, rejected };
  } catch (error) {
    signal.throwIfAborted();
    return { token: refusal(file, credential, error), services: notAsked };
  } finally {
    await client.close();
  }
}

const notAsked = warning("not known: the server does not say it without a token that can be used");

/** What the agent has to show, or why it has nothing. */
async function credentialOf(file: ConfigFile, signal: AbortSignal) {
  const { config, place, registrationToken } = file;
  const { agent } = config;
  const stored = await fileTokenStore(join(pathIn(place, config.stateDir), "token.json")).read();
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
    return failure(`${whose}, and ${messageOf(error)}: platformctl tokens create makes a token`);
  }
  if (!isWellFormedToken("registration", token)) {
    return failure(`${whose}, and what is given is no registration token: is it all there?`);
  }
  return { kind: "registration", token, whose } satisfies Credential;
}

/**
 * Why the server is not shown the stored token; null when it made it. Empty for one that does not answer:
 * that is reported as `server`.
 */
async function problemOf(
  stored: Identity,
  { config, place }: ConfigFile,
  signal: AbortSignal,
): Promise<string | null> {
  const settings = settingsOf(await agentOptionsOf(config, place));
  if (stored.server === settings.server) return null;
  const soon = AbortSignal.any([signal, AbortSignal.timeout(answerMs)]);
  return problemOfServer(settings, stored, soon).catch(() => {
    signal.throwIfAborted();
    return "";
  });
}

async function clientFor({ config, place }: ConfigFile, { token }: Credential): Promise<Client> {
  const { server: url, way } = settingsOf(await agentOptionsOf(config, place));
  return createClient(httpTransport({ url, userAgent, bearer: token, ...way }));
}

function inUse({ kind, whose }: Credential): string {
  return kind === "agent" ? whose : `${whose}; the registration token can be used`;
}

/** The server does not take it, or gives no answer to this question. */
function refusal({ config }: ConfigFile, { kind, whose }: Credential, error: unknown) {
  if (error instanceof AppError && error.code !== "NOT_FOUND" && error.code !== "UNAVAILABLE") {
    if (error.code === "RATE_LIMITED") return warning(`${whose}; not checked: ${error.message}`);
    return failure(`${whose}: ${error.message} ${remedyOf(error.code, config.agent.code)}`);
  }
  const given = kind === "agent" ? "" : "; a registration token is given";
  const why = codeOf(error) === "NOT_FOUND" ? "the server is too old for that" : messageOf(error);
  return warning(`${whose}${given}; whether it can be used is not known: ${why}`);
}

function codesResult({ config }: ConfigFile, rejected: RejectedService[]): CheckResult {
  const { length } = config.services;
  if (rejected.length === 0) return ok(length === 1 ? "1 is free" : `all ${length} are free`);
  const told = rejected.map(({ code, reason, agentCode }) =>
    reason === "SERVICE_CODE_TAKEN"
      ? `${code}: the agent ${agentCode} has it and is online`
      : `${code}: this agent would have more services than the server allows`,
  );
  return failure(told.join("; "));
}
