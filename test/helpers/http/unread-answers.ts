// Fills the buffers between a server and clients that read nothing.

import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Requests per connection and round: half of the 16 that a connection can have in progress. */
const several = 8;
const maxRounds = 100;
/** Longer than the delay of an acknowledgement. */
const settledMs = 100;
/** On a busy machine, `settledMs` can pass between two readings, so one reading is not enough. */
const settledReads = 10;
const betweenReadsMs = 10;

/**
 * Repeats the request until `bytes` bytes for each connection wait in the server, and then sends
 * one more round. Returns the number of requests per connection. `waitingBytes` asks the server for
 * the number, which also lets the server run.
 */
export async function askUnread(
  sockets: readonly Socket[],
  request: string,
  waitingBytes: () => Promise<number>,
  bytes: number,
): Promise<number> {
  // With Nagle's algorithm, a round would wait for the acknowledgement of the previous one, and two
  // would arrive at once.
  for (const socket of sockets) socket.setNoDelay(true);
  for (let round = 1; round <= maxRounds; round++) {
    for (const socket of sockets) socket.write(request.repeat(several));
    const waiting = await settled(waitingBytes);
    if (sockets.some((socket) => socket.destroyed)) {
      throw new Error(`the server closed a connection after ${round} rounds of requests`);
    }
    if (waiting < sockets.length * bytes) continue;
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
    await sleep(betweenReadsMs);
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
