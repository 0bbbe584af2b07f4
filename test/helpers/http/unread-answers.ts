// Fills the buffers between a server and clients that read nothing, whatever their size.

import type { Socket } from "node:net";

/**
 * The number of requests on each connection. A connection can have 16 in progress: half of them
 * fill the buffers, and half of them wait.
 */
const several = 8;
const maxRounds = 100;
/** Longer than the delay of an acknowledgement. */
const settledMs = 100;
/**
 * On a busy machine, that time can pass between two reads, so several equal readings are required.
 */
const settledReads = 10;

/**
 * Sends the request on each connection until this many bytes wait in the server for each, and then a few times more.
 * Returns how often it was sent on each connection. `waitingBytes` asks the server, which therefore gets a turn.
 */
export async function askUnread(
  sockets: readonly Socket[],
  request: string,
  waitingBytes: () => Promise<number>,
  bytes: number,
): Promise<number> {
  // With Nagle's algorithm, a round would wait for the acknowledgement of the previous one, and two would arrive at once.
  for (const socket of sockets) socket.setNoDelay(true);
  for (let round = 1; round <= maxRounds; round++) {
    for (const socket of sockets) socket.write(request.repeat(several));
    if ((await settled(waitingBytes)) < sockets.length * bytes) continue;
    for (const socket of sockets) socket.write(request.repeat(several));
    return (round + 1) * several;
  }
  throw new Error(`${maxRounds} rounds of requests did not fill the buffers`);
}

/** Returns the number of bytes once it no longer changes, because the system's buffers are full. */
async function settled(read: () => Promise<number>): Promise<number> {
  let last = await read();
  let since = performance.now();
  let same = 0;
  while (same < settledReads || performance.now() - since < settledMs) {
    const now = await read();
    same++;
    if (now !== last) {
      since = performance.now();
      same = 0;
    }
    last = now;
  }
  return last;
}
