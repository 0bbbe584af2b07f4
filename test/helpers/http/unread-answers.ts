// Fills the buffers between a server and clients that read nothing, however large the system makes them.

import type { Socket } from "node:net";

/** Of these, at most 16 may be in flight on a connection: more end it. */
const further = 8;
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
  for (let sent = 1; sent <= maxRounds; sent++) {
    for (const socket of sockets) socket.write(request);
    if ((await waitingBytes()) < sockets.length * bytes) continue;
    for (const socket of sockets) socket.write(request.repeat(further));
    return sent + further;
  }
  throw new Error(`the system took ${maxRounds} answers for each connection`);
}
