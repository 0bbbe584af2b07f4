// What all test processes of a run share, such as a PostgreSQL server. The main process starts it
// when the first test needs it, and ends it after the run.

import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

type CleanUp = () => unknown;

/**
 * For setup files. `start` returns what the test processes get as JSON. Returns the socket through
 * which they ask for it, and the function that runs the clean-ups.
 */
export async function provideShared(
  start: (atEnd: (cleanUp: CleanUp) => void) => Promise<unknown>,
) {
  const folder = mkdtempSync(join(tmpdir(), "platform-shared-"));
  const cleanUps: CleanUp[] = [() => rmSync(folder, { recursive: true, force: true })];
  let starting: Promise<unknown> | null = null;
  const listener = createServer((socket) => {
    socket.on("error", () => undefined);
    starting ??= start((cleanUp) => void cleanUps.push(cleanUp));
    starting.then(
      (shared) => socket.end(JSON.stringify(shared)),
      (error: Error) => socket.end(`failed: ${error.message}`),
    );
  });
  const socket = join(folder, "socket");
  listener.listen(socket);
  await once(listener, "listening");
  const end = async () => {
    listener.close();
    await starting?.catch(() => null);
    for (const cleanUp of cleanUps.reverse()) await cleanUp();
  };
  return { socket, end };
}

/** For tests. Returns what the main process has started, as soon as it has. */
export async function getShared<T>(what: string, socket: string): Promise<T> {
  const answer = await text(createConnection(socket));
  if (!answer.startsWith("{")) throw new Error(`${what} ${answer}`);
  return JSON.parse(answer);
}
