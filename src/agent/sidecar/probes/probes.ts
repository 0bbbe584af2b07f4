// The probes of a service's health, by kind. Each asks once; `health-monitor.ts` makes a state of that.

import type { Json } from "../../../domain/payload/json.ts";
import { withTimeLimit } from "../../../lib/time-limit.ts";
import { messageOf } from "../../connection/errors.ts";
import type { HealthConfig } from "../config/config.ts";
import { publicUrl } from "../http-call.ts";
import { oneLine } from "../lines.ts";
import type { Place } from "../place.ts";
import { probeExec } from "./probe-exec.ts";
import { probeHttp } from "./probe-http.ts";
import { probeTcp } from "./probe-tcp.ts";

export interface ProbeResult {
  ok: boolean;
  /** For an operator; one line. */
  message: string;
  tookMs: number;
}

/** Short enough for the server with a count before it. */
const maxMessage = 400;

/** Asks once, within the probe's time-out. Rejects only with the signal's reason. */
export async function probe(
  config: HealthConfig,
  place: Place,
  signal: AbortSignal,
): Promise<ProbeResult> {
  const startedAt = performance.now();
  const result = (ok: boolean, message: string): ProbeResult => ({
    ok,
    message: oneLine(message, maxMessage),
    tookMs: Math.round(performance.now() - startedAt),
  });
  try {
    const ask = (ended: AbortSignal) => askByKind(config, place, ended);
    return result(true, await withTimeLimit(config.timeoutMs, signal, ask));
  } catch (error) {
    signal.throwIfAborted();
    return result(false, messageOf(error));
  }
}

/** What is asked, for the details of a health: the same each time, and nothing secret. */
export function describeProbe({ http, tcp, exec }: HealthConfig): Json {
  if (http) return { probe: "http", url: publicUrl(http.url) };
  if (tcp) return { probe: "tcp", address: `${tcp.host}:${tcp.port}` };
  return { probe: "exec", program: exec?.command[0] ?? "" };
}

function askByKind({ http, tcp, exec }: HealthConfig, place: Place, signal: AbortSignal) {
  if (http) return probeHttp(http, place, signal);
  if (tcp) return probeTcp(tcp, signal);
  if (exec) return probeExec(exec, place, signal);
  throw new Error("there is nothing to probe");
}
