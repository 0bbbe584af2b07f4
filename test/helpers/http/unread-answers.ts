// Fills the buffers between a server and clients that read nothing, however large the system makes them.

import type { Socket } from "node:net";

/** A connection may have 16 requests in flight: half of them fill the buffers, half of them wait behind. */
const several = 8;
const maxRounds = 100;
/** Longer than an acknowledgement is delayed. */
const settledMs = 100;

/**
 * Sends the request on each connection until that many bytes wait in the server for each of them, then some
 * times more. Returns how often it was sent on each. `waitingBytes` asks the server, so that it gets a turn.
 */
export async function askUnread(
  sockets: readonly Socket[],
  request: string,
  waitingBytes: () => Promise<number>,
  bytes: number,
): Promise<number> {
  // With Nagle's algorithm a round would wait for the acknowledgement of the one before it, and two arrive at once.
  for (const socket of sockets) socket.setNoDelay(true);
  for (let round = 1; round <= maxRounds; round++) {
    for (const socket of sockets) socket.write(request.repeat(several));
    if ((await settled(waitingBytes)) < sockets.length * bytes) continue;
    for (const socket of sockets) socket.write(request.repeat(several));
    return (round + 1) * several;
  }
  throw new Error(`${maxRounds} rounds of requests did not fill the buffers`);
}

/** The number once it has been the same for a while: the system has taken all that it has room for. */
async function settled(read: () => Promise<number>): Promise<number> {
  let last = await read();
  let since = performance.now();
  while (performance.now() - since < settledMs) {
    const now = await read();
    if (now !== last) since = performance.now();
    last = now;
  }
  return last;
}
