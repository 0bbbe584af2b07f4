// Fills the buffers between a server and clients that read nothing, however large the system makes them.

import type { Socket } from "node:net";

/** Sent at once, at first and in the end. A connection may have 16 in flight: more end it. */
const several = 8;
const maxRounds = 500;

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
  for (let sent = several; sent <= maxRounds; sent++) {
    for (const socket of sockets)
      socket.write(sent === several ? request.repeat(several) : request);
    if ((await waitingBytes()) < sockets.length * bytes) continue;
    for (const socket of sockets) socket.write(request.repeat(several));
    return sent + several;
  }
  throw new Error(`the system took ${maxRounds} answers for each connection`);
}
