import type { Json } from "../../../domain/payload/json.ts";
import { withTimeLimit } from "../../../lib/time-limit.ts";
import { messageOf } from "../../connection/errors.ts";
import type { HealthConfig } from "../config/config.ts";
import type { Abortable } from "../config-origin.ts";
import { publicUrl } from "../http-call.ts";
import { lastLine, oneLine } from "../lines.ts";
import { askProgram } from "../programs/ask-program.ts";
import { probeHttp } from "./probe-http.ts";
import { probeTcp } from "./probe-tcp.ts";

export interface ProbeResult {
  ok: boolean;
  /** The result in one line, for an operator. */
  message: string;
  tookMs: number;
}

/** Leaves room for the count that the monitor adds. */
const maxMessage = 400;

/** Runs the probe once, within the timeout. Rejects only with the signal's reason. */
export async function probe(config: HealthConfig, origin: Abortable): Promise<ProbeResult> {
  const startedAt = performance.now();
  const result = (ok: boolean, message: string): ProbeResult => ({
    ok,
    message: oneLine(message, maxMessage),
    tookMs: Math.round(performance.now() - startedAt),
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

/** Of a program, the result is the last line of its output. */
async function askByKind({ http, tcp, exec }: HealthConfig, origin: Abortable): Promise<string> {
  if (http) return probeHttp(http, origin);
  if (tcp) return probeTcp(tcp, origin.signal);
  if (!exec) throw new Error("there is nothing to probe");
  const { stdout } = await askProgram(exec, origin);
  return lastLine(stdout) || "exit status 0";
}
