import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { Download } from "../../src/core/download.ts";
import type { Call } from "../../src/http/dispatch.ts";
import { createHttpServer, type HttpOptions } from "../../src/http/server.ts";
import type { TestApp } from "../helpers/app.ts";
import { listen } from "../helpers/http/listen.ts";

export interface RawConnection {
  socket: Socket;
  received(): string;
  /** Waits until `text` has been received this many times. */
  until(text: string, times?: number): Promise<void>;
  /** Resolves to everything received once the connection ends. */
  ended: Promise<string>;
}

export function openRaw(port: number, socket = connect(port, "127.0.0.1")): RawConnection {
  let text = "";
  let isOver = false;
  socket.setEncoding("latin1");
  socket.on("data", (chunk: string) => {
    text += chunk;
  });
  // Connection resets are expected.
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
      let found = 0;
      // Text that was searched before is dropped, because the whole text can be long.
      let rest = text;
      return new Promise((resolve, reject) => {
        const look = (chunk: unknown) => {
          if (typeof chunk === "string") rest += chunk;
          const parts = rest.split(wanted);
          found += parts.length - 1;
          rest = parts.at(-1)!.slice(-wanted.length);
          if (found < times && !isOver) return;
          socket.off("data", look).off("close", look);
          if (found >= times) resolve();
          else reject(new Error(`the connection ended before ${wanted}: ${text}`));
        };
        socket.on("data", look).on("close", look);
        look(null);
      });
    },
  };
}

/** Returns everything received until the server closes the connection. */
export function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  const { socket, ended } = openRaw(port);
  socket.write(bytes);
  return ended;
}

export function statusesIn(text: string): number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

export function bodyIn(text: string): {
  error: { code: string; message: string; requestId: string };
} {
  return JSON.parse(text.slice(text.indexOf("\r\n\r\n") + 4));
}

/** `headers` are lines without line breaks. */
export function requestText(first: string, headers: string[] = [], body = ""): string {
  return `${[first, ...headers].join("\r\n")}\r\n\r\n${body}`;
}

/** Opens another listener for an app, with access to its server. */
export async function listenInSight(
  test: TestApp,
  options: Partial<HttpOptions> = {},
): Promise<{ server: Server; port: number }> {
  const { app } = test;
  const { server, close } = createHttpServer({ ...app.httpOptions, ...options });
  const port = await listen(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    await close();
  });
  return { server, port };
}

/** Opens another listener for an app. All of its responses are downloads. */
export function listenForDownloads(test: TestApp, chunks: (call: Call) => Download["chunks"]) {
  return listenInSight(test, {
    async dispatch(call) {
      const download = { contentType: "text/plain", chunks: chunks(call) };
      return { status: 200, body: {}, download };
    },
  });
}

/** Collects what the app logs at the error level from now on. */
export function errorsLogged(test: TestApp): unknown[] {
  const errors: unknown[] = [];
  test.app.core.log = { ...test.app.core.log, error: (fields) => errors.push(fields) };
  return errors;
}
