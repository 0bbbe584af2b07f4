// Sockets that speak HTTP as badly as a test wants, and a listener whose server can be looked at.

import type { Server } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { createHttpServer, type HttpOptions } from "../../src/http/server.ts";
import type { TestApp } from "../helpers/app.ts";

export interface RawConnection {
  socket: Socket;
  /** Everything that has come back so far. */
  received(): string;
  /** Waits until `text` has come back, the given number of times. */
  until(text: string, times?: number): Promise<void>;
  /** Waits for the end of the connection, from whichever side, and answers what came back. */
  ended: Promise<string>;
}

export function openRaw(port: number): RawConnection {
  let text = "";
  let isOver = false;
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    text += chunk;
  });
  // A reset is one of the ways in which a connection ends.
  socket.on("error", () => undefined);
  const ended = new Promise<string>((resolve) => {
    socket.on("close", () => {
      isOver = true;
      resolve(text);
    });
  });
  onTestFinished(() => void socket.destroy());
  return {
    socket,
    ended,
    received: () => text,
    until(wanted, times = 1) {
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = text.split(wanted).length > times;
          if (!found && !isOver) return;
          socket.off("data", look).off("close", look);
          if (found) resolve();
          else reject(new Error(`the connection ended before ${wanted}: ${text}`));
        };
        socket.on("data", look).on("close", look);
        look();
      });
    },
  };
}

/** Sends bytes as they are, and answers what came back until the server closed the connection. */
export function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  const { socket, ended } = openRaw(port);
  socket.write(bytes);
  return ended;
}

/** The statuses of the answers in what came back, in order. */
export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

/** The JSON body of the only answer in what came back. */
export function bodyIn(text: string): {
  error: { code: string; message: string; requestId: string };
} {
  return JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4));
}

/** The text of a request; header lines without their line ends. */
export function requestText(first: string, headers: string[] = [], body = ""): string {
  return `${[first, ...headers].join("\r\n")}\r\n\r\n${body}`;
}

/** One more listener in front of an app, with its server in sight. */
export async function listenInSight(
  test: TestApp,
  options: Partial<HttpOptions> = {},
): Promise<{ server: Server; port: number }> {
  const { app } = test;
  const { server, close } = createHttpServer({ ...app.httpOptions, ...options });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await close();
  });
  return { server, port: (server.address() as AddressInfo).port };
}

/** What the app logs at error level from now on. */
export function errorsLogged(test: TestApp): unknown[] {
  const errors: unknown[] = [];
  test.app.core.log = { ...test.app.core.log, error: (fields) => errors.push(fields) };
  return errors;
}
