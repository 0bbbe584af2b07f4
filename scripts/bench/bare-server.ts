// The baseline server does the minimum that node:http needs to read a small JSON body and to
// respond with JSON in our envelope. It runs in a separate process, and sends its port over IPC.

import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((request, response) => {
  if (request.method === "GET") {
    answer(response, null);
    return;
  }
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const body = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
    answer(response, JSON.parse(String(body)));
  });
});

function answer(response: ServerResponse, body: unknown): void {
  const data = { serverTime: "2026-01-02T03:04:05.678Z", body: typeof body, intervalSeconds: 30 };
  const text = JSON.stringify({ success: true, data });
  response.writeHead(200, {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}

server.listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on("disconnect", () => process.exit());
