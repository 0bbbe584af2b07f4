// Holds the polls of many agents, so that their traffic does not delay the process that measures.
// Receives a `HolderTask`, and sends a `HolderReport` when all polls are sent and at the end.

import { Connection, type NextRequest } from "./connection.ts";
import { heldSeconds, pollPath } from "./fixtures.ts";
import { fleetToken } from "./large-fleet.ts";
import { encodeRequest } from "./requests.ts";

/** The agents with the numbers from `first` to below `end`. */
export interface HolderTask {
  port: number;
  first: number;
  end: number;
  /** The tokens of these agents; by default those of the inserted fleet. */
  tokens?: string[];
}

export type HolderReport = { sent: number } | { failure: string };

const connectionsAtOnce = 100;

process.once("message", (task: HolderTask) => {
  hold(task).then(
    (sent) => process.send?.({ sent } satisfies HolderReport),
    (error: Error) => process.send?.({ failure: error.message } satisfies HolderReport),
  );
});
process.on("disconnect", () => process.exit());

async function hold({ port, first, end, tokens }: HolderTask): Promise<number> {
  const buffer = Buffer.allocUnsafeSlow(64 * 1024);
  for (let next = first; next < end; next += connectionsAtOnce) {
    const numbers = Array.from(
      { length: Math.min(connectionsAtOnce, end - next) },
      (_, i) => next + i,
    );
    const opened = await Promise.all(numbers.map(() => Connection.open(port, buffer)));
    for (const [i, connection] of opened.entries()) {
      const number = numbers[i] as number;
      const token = tokens?.[number - first] ?? fleetToken(number);
      connection.run(pollsOf(port, number, token), () => {}).catch(fail);
    }
  }
  return end - first;
}

/** The first poll is shorter, so that the polls of different agents end at different times. */
function pollsOf(port: number, number: number, token: string): NextRequest {
  const pollFor = (seconds: number) =>
    encodeRequest(port, { method: "GET", path: pollPath(seconds), token });
  let first: Buffer | null = pollFor(1 + (number % heldSeconds));
  const poll = pollFor(heldSeconds);
  return () => {
    const request = first ?? poll;
    first = null;
    return request;
  };
}

function fail(error: Error): void {
  process.send?.({ failure: error.message } satisfies HolderReport);
}
