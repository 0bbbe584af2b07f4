// An HTTP proxy. It supports CONNECT for tunnels, and requests with absolute URLs for plain HTTP.
// It forwards everything to one port of the local host, whatever host was requested.

import { createServer, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { listen } from "./listen.ts";

export interface TestProxy {
  url: string;
  /** The requests, in order: `CONNECT host:port` or `GET http://host/path`. */
  asked: string[];
  /** The Proxy-Authorization headers, decoded. */
  users: string[];
  /** The status for every request; 0 sends no response. Null forwards requests. */
  refuses: number | null;
}

export async function startProxy(targetPort: number): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  const note = ({ method, url, headers }: IncomingMessage) => {
    proxy.asked.push(`${method} ${url}`);
    const [, basic] = headers["proxy-authorization"]?.split(" ") ?? [];
    if (basic !== undefined) proxy.users.push(Buffer.from(basic, "base64").toString());
  };
  const server = createServer((incoming, outgoing) => {
    note(incoming);
    if (proxy.refuses === 0) return;
    if (proxy.refuses !== null) {
      outgoing.writeHead(proxy.refuses, { "content-type": "text/html" }).end("<h1>No.</h1>");
      return;
    }
    const { pathname, search } = new URL(incoming.url ?? "");
    const { method, headers } = incoming;
    const place = { host: "127.0.0.1", port: targetPort, path: pathname + search, method, headers };
    const onward = request(place, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    outgoing.on("close", () => onward.destroy());
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  server.on("connect", (incoming, near: Socket) => {
    note(incoming);
    if (proxy.refuses === 0) return;
    if (proxy.refuses !== null) {
      near.end(`HTTP/1.1 ${proxy.refuses} No\r\n\r\n`);
      return;
    }
    const far = connect(targetPort, "127.0.0.1", () => {
      near.write("HTTP/1.1 200 Connection established\r\n\r\n");
      near.pipe(far).pipe(near);
    });
    sockets.add(far);
    const breakBoth = () => {
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) socket.on("error", breakBoth).on("close", breakBoth);
  });
  server.on("connection", (socket) => sockets.add(socket));
  const port = await listen(server);
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const proxy: TestProxy = { url: `http://127.0.0.1:${port}`, asked: [], users: [], refuses: null };
  return proxy;
}
