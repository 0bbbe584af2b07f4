// The health checks that agent.yaml can declare for a service: HTTP, TCP and programs.

import { connect } from "node:net";
import { isDeepStrictEqual } from "node:util";
import type { Json } from "../../../domain/payload/json.ts";
import { redact, redacted } from "../../../domain/secrets/redaction.ts";
import { isSecretName } from "../../../domain/secrets/secrecy.ts";
import { cutText } from "../../../lib/cut-text.ts";
import { withTimeLimit } from "../../../lib/time-limit.ts";
import { messageOf } from "../../connection/errors.ts";
import type { HealthConfig } from "../config/config.ts";
import type { Abortable } from "../config/config-origin.ts";
import { callHttp, type HttpResponse, networkReasonOf, publicUrl } from "../http-call.ts";
import { isSuccess, maxResponseBytes, statusOf, valueIn } from "../json-response.ts";
import { lastLine, oneLine } from "../lines.ts";
import { askProgram } from "../programs/ask-program.ts";

export interface ProbeResult {
  ok: boolean;
  /** The result in one line, for an operator. */
  message: string;
}

/** Leaves room for the count that the monitor adds. */
const maxMessage = 400;

/** Runs the probe once, within the timeout. Rejects only with the signal's reason. */
export async function probe(config: HealthConfig, origin: Abortable): Promise<ProbeResult> {
  const result = (ok: boolean, message: string): ProbeResult => ({
    ok,
    message: oneLine(message, maxMessage),
  });
  try {
    const ask = (signal: AbortSignal) => askByKind(config, { ...origin, signal });
    return result(true, await withTimeLimit(config.timeoutMs, origin.signal, ask));
  } catch (error) {
    origin.signal.throwIfAborted();
    return result(false, messageOf(error));
  }
}

/** Returns a constant description without secrets. */
export function describeProbe({ http, tcp, exec }: HealthConfig): Json {
  if (http) return { probe: "http", url: publicUrl(http.url) };
  if (tcp) return { probe: "tcp", address: `${tcp.host}:${tcp.port}` };
  return { probe: "exec", program: exec?.command[0] ?? "" };
}

/** Returns the probe's finding; for a program, this is the last line of its output. */
async function askByKind({ http, tcp, exec }: HealthConfig, origin: Abortable): Promise<string> {
  if (http) return probeHttp(http, origin);
  if (tcp) return probeTcp(tcp, origin.signal);
  if (!exec) throw new Error("there is nothing to probe");
  const { stdout } = await askProgram(exec, origin);
  return lastLine(stdout) || "exit status 0";
}

type TcpProbe = NonNullable<HealthConfig["tcp"]>;

/** Opens and closes a connection. Throws an Error with the reason, or the signal's reason. */
function probeTcp({ host, port }: TcpProbe, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const socket = connect({ host, port });
    const onAbort = () => end(() => reject(signal.reason));
    const end = (settle: () => void) => {
      signal.removeEventListener("abort", onAbort);
      socket.destroy();
      settle();
    };
    signal.addEventListener("abort", onAbort, { once: true });
    socket.once("connect", () => end(() => resolve(`${host}:${port} accepts connections`)));
    socket.on("error", (error) => {
      end(() => reject(new Error(`${host}:${port}: ${networkReasonOf(error)}`)));
    });
  });
}

type HttpProbe = NonNullable<HealthConfig["http"]>;

const maxQuoted = 100;

/**
 * Without `equals`, the value at the pointer must not be false or null. Throws an Error that
 * describes the difference, or the signal's reason.
 */
async function probeHttp(
  { url, headers, status, pointer, equals }: HttpProbe,
  origin: Abortable,
): Promise<string> {
  const looksInside = pointer !== undefined || equals !== undefined;
  const call = { method: "GET", url, headers, maxBytes: looksInside ? maxResponseBytes : 0 };
  const response = await callHttp(call, origin);
  const isExpected = status === undefined ? isSuccess(response) : response.status === status;
  if (!isExpected) throw new Error(`${statusOf(response)}, expected ${status ?? "200–299"}`);
  if (!looksInside) return statusOf(response);
  return `${statusOf(response)}, ${factIn(response, pointer ?? "", equals)}`;
}

function factIn(response: HttpResponse, pointer: string, equals: Json | undefined): string {
  const quoted = (value: Json) => {
    return isSecretName(pointer) ? redacted : cutText(JSON.stringify(redact(value)), maxQuoted);
  };
  const value = valueIn(response, pointer);
  const fact = `${pointer || "the response"} is ${quoted(value)}`;
  if (equals !== undefined) {
    if (!isDeepStrictEqual(value, equals)) throw new Error(`${fact}, expected ${quoted(equals)}`);
  } else if (value === false || value === null) {
    throw new Error(`${pointer || "the response"} is ${value}`);
  }
  return fact;
}
