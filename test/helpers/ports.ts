// Reserves ports on loopback. Works outside of tests, because their common set-up uses it, too.

import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect } from "node:net";

export interface Reserved {
  port: number;
  release(): void;
}

/**
 * Returns a TCP port that nothing listens on, and that no other test gets until it is released. The
 * system chooses other ports for servers and connections. A UDP socket on the same port number
 * shows all processes of the tests that the port is taken.
 */
export async function reservePort(): Promise<Reserved> {
  for (;;) {
    const port = randomInt(20_000, 30_000);
    const claim = createSocket("udp4").unref();
    const isOurs = await new Promise<boolean>((resolve) => {
      claim.once("error", () => resolve(false));
      claim.bind({ port, address: "127.0.0.1", exclusive: true }, () => resolve(true));
    });
    if (isOurs && !(await isInUse(port))) return { port, release: () => claim.close() };
    claim.close();
  }
}

/** Whether a program outside of the tests listens on the port. */
async function isInUse(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
