// The demo's managed service: a small HTTP log collector that knows nothing about agents.

import { once } from "node:events";
import { appendFile, mkdir, readdir, readFile, rename, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { untilSignal } from "../../../lib/until-signal.ts";
import type { Invocation } from "../../command.ts";

export const levels = ["debug", "info", "warn", "error"] as const;
type Level = (typeof levels)[number];

interface Call {
  name: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
}

type Handlers = Record<string, (call: Call) => unknown>;

class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export async function runCollector({ io, options }: Invocation): Promise<void> {
  const { dir, port } = options as { dir: string; port: string };
  await mkdir(dir, { recursive: true });
  const server = createCollector(dir);
  await once(server.listen(Number(port), "127.0.0.1"), "listening");
  io.out(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  await untilSignal(async () => {
    server.close();
    server.closeAllConnections();
  });
}

export function createCollector(dir: string): Server {
  const handlers = handlersFor(dir);
  return createServer(async (request, response) => {
    const { status, body } = await respond(handlers, request);
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(body));
  });
}

async function respond(handlers: Handlers, request: IncomingMessage) {
  try {
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://collector");
    const name = /^\/(?:files|logs)\/([^/]+)/.exec(pathname)?.[1] ?? "";
    const route = `${request.method} ${name ? pathname.replace(name, ":name") : pathname}`;
    const body = JSON.parse((await text(request)) || "{}");
    const handler = handlers[route];
    if (!handler) throw new Refusal(404, "NOT_FOUND", "this path does not exist");
    return { status: 200, body: await handler({ name, query, body }) };
  } catch (error) {
    const { status, code, message } =
      error instanceof Refusal ? error : new Refusal(500, "FAILED", String(error));
    return { status, body: { error: { code, message } } };
  }
}

function handlersFor(folder: string): Handlers {
  let level: Level = "info";
  let received = 0;

  const pathOf = (name: string) => {
    if (/^[a-z0-9-]+\.log(\.\d+)?$/.test(name)) return join(folder, name);
    throw new Refusal(400, "BAD_NAME", `${name} is not the name of a log file`);
  };
  const existing = async (name: string) => {
    const path = pathOf(name);
    const found = await stat(path).catch(() => null);
    if (found) return { path, bytes: found.size };
    throw new Refusal(404, "FILE_GONE", `the file ${name} does not exist`);
  };
  const logFiles = async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith(".log")).sort();
    return Promise.all(
      names.map(async (name) => ({ name, bytes: (await stat(pathOf(name))).size })),
    );
  };

  return {
    "GET /health": () => ({ status: "UP", version: "1.4.0", received }),
    "GET /level": () => ({ level }),
    "PUT /level": ({ body }) => {
      const before = level;
      level = readLevel(body.level);
      return { before, after: level };
    },
    "GET /forms/level": () => ({ initialPayload: { level }, currentState: { level } }),
    "GET /forms/rotate": async () => {
      const files = await logFiles();
      const file = { type: "string", title: "File", enum: files.map(({ name }) => name) };
      const inputSchema = { type: "object", required: ["file"], properties: { file } };
      return { inputSchema, currentState: { files } };
    },
    "GET /files": async () => ({ files: await logFiles() }),
    "GET /files/:name": async ({ name, query }) => {
      const { path } = await existing(name);
      const lines = (await readFile(path, "utf8")).split("\n").filter(Boolean);
      return { lines: lines.slice(-Number(query.get("lines") ?? 10)) };
    },
    "POST /files/:name/rotate": async ({ name }) => {
      const { path, bytes } = await existing(name);
      const taken = await readdir(folder);
      let number = 1;
      while (taken.includes(`${name}.${number}`)) number++;
      const rotatedTo = `${name}.${number}`;
      await rename(path, pathOf(rotatedTo));
      return { rotatedTo, bytes };
    },
    "POST /logs/:name": async ({ name, body }) => {
      const given = readLevel(body.level);
      received++;
      const kept = levels.indexOf(given) >= levels.indexOf(level);
      if (kept) await appendFile(pathOf(name), `${given.toUpperCase()} ${body.line}\n`);
      return { kept };
    },
  };
}

function readLevel(value: unknown): Level {
  const level = levels.find((known) => known === value);
  if (level) return level;
  throw new Refusal(400, "BAD_LEVEL", `the level must be one of ${levels.join(", ")}`);
}
