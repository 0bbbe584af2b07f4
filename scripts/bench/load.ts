import { performance } from "node:perf_hooks";
import { Latencies } from "../../src/cli/commands/bench/stats/latencies.ts";
import { Connection, type NextRequest } from "./connection.ts";

export interface Load {
  answered: number;
  seconds: number;
  latencies: Latencies;
}

/**
 * Opens one connection for each entry of `requests`. The time starts when all connections are open,
 * and ends early if a connection has no more requests. Throws on the first response that is not
 * 2xx.
 */
export async function runLoad(
  port: number,
  requests: NextRequest[],
  seconds: number,
): Promise<Load> {
  const buffer = Buffer.allocUnsafeSlow(64 * 1024);
  const connections = await Promise.all(requests.map(() => Connection.open(port, buffer)));
  const latencies = new Latencies();
  const startedAt = performance.now();
  let answered = 0;
  let endedAt = 0;

  const stop = () => {
    endedAt ||= performance.now();
  };
  const onAnswer = (latencyMs: number) => {
    if (endedAt) return;
    answered++;
    latencies.record(latencyMs);
  };
  const untilStopped = (next: NextRequest) => () => {
    const request = endedAt ? null : next();
    if (!request) stop();
    return request;
  };

  const timer = setTimeout(stop, seconds * 1000);
  try {
    await Promise.all(
      connections.map((connection, i) =>
        connection.run(untilStopped(requests[i] as NextRequest), onAnswer),
      ),
    );
  } finally {
    clearTimeout(timer);
    for (const connection of connections) connection.destroy();
  }
  return { answered, seconds: (endedAt - startedAt) / 1000, latencies };
}
