import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface Crowd {
  sockets: Socket[];
  /** Counts the connections that the server or its system has closed. */
  closed(): number;
  /** The text that each reading connection has received. */
  received(): string[];
}

/** Opens connections and waits until each is open or refused. The end of the test closes them. */
export async function openCrowd(
  port: number,
  count: number,
  { reads = false }: { reads?: boolean } = {},
): Promise<Crowd> {
  let closed = 0;
  const texts = Array<string>(count).fill("");
  const opening = Array.from({ length: count }, async (_, index) => {
    const socket = connect(port, "127.0.0.1");
    if (reads) {
      socket.setEncoding("latin1").on("data", (chunk) => {
        texts[index] = (texts[index] ?? "") + chunk;
      });
    } else {
      socket.pause();
    }
    socket.on("error", () => undefined).on("close", () => closed++);
    await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
    return socket;
  });
  const sockets = await Promise.all(opening);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  return { sockets, closed: () => closed, received: () => texts };
}

export function post(path: string, body: string, headers: string[] = []): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  const lines = ["Host: localhost", "Content-Type: application/json", length, ...headers];
  return `POST ${path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body}`;
}

export function get(path: string, headers: string[] = []): string {
  return `GET ${path} HTTP/1.1\r\n${["Host: localhost", ...headers].join("\r\n")}\r\n\r\n`;
}
