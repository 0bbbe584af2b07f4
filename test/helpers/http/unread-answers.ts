// Fills the buffers between a server and clients that read nothing, however large the system makes them.

import type { Socket } from "node:net";

/** A connection may have 16 requests in flight: half of them fill the buffers, half of them wait behind. */
const several = 8;
const maxRounds = 100;

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
  for (let round = 1; round <= maxRounds; round++) {
    for (const socket of sockets) socket.write(request.repeat(several));
    if ((await settled(waitingBytes)) < sockets.length * bytes) continue;
    for (const socket of sockets) socket.write(request.repeat(several));
    return (round + 1) * several;
  }
  throw new Error(`${maxRounds} rounds of requests did not fill the buffers`);
}

/** The number once it is the same several times in a row: the server has done what it can. */
async function settled(read: () => Promise<number>): Promise<number> {
  let last = await read();
  for (let same = 0; same < 10; ) {
    const now = await read();
    same = now === last ? same + 1 : 0;
    last = now;
  }
  return last;
}
