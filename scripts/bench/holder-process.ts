// Holds the polls of many agents, so that their traffic does not delay the process that measures.
// Receives a `HolderTask`, and sends a `HolderReport` when all polls are sent and at the end.

import { Connection } from "./connection.ts";
import { fleetToken } from "./large-fleet.ts";
import { encodeRequest } from "./requests.ts";

/** The agents with the numbers from `first` to below `end`. */
export interface HolderTask {
  port: number;
  first: number;
  end: number;
}

export type HolderReport = { sent: number } | { failure: string };

export const pollPath = "/api/agents/commands?wait=30";
const connectionsAtOnce = 100;

process.once("message", (task: HolderTask) => {
  hold(task).then(
    (sent) => process.send?.({ sent } satisfies HolderReport),
    (error: Error) => process.send?.({ failure: error.message } satisfies HolderReport),
  );
});
process.on("disconnect", () => process.exit());

async function hold({ port, first, end }: HolderTask): Promise<number> {
  const buffer = Buffer.allocUnsafeSlow(64 * 1024);
  for (let next = first; next < end; next += connectionsAtOnce) {
    const numbers = Array.from(
      { length: Math.min(connectionsAtOnce, end - next) },
      (_, i) => next + i,
    );
    const opened = await Promise.all(numbers.map(() => Connection.open(port, buffer)));
    for (const [i, connection] of opened.entries()) {
      const token = fleetToken(numbers[i] as number);
      const poll = encodeRequest(port, { method: "GET", path: pollPath, token });
      connection
        .run(
          () => poll,
          () => {},
        )
        .catch(fail);
    }
  }
  return end - first;
}

function fail(error: Error): void {
  process.send?.({ failure: error.message } satisfies HolderReport);
}
