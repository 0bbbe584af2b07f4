// A real managed service, small enough to read: it appends the lines it is sent to files, drops those
// below its level, rotates a file on request, and says how it is. It knows nothing of agents.
//
// POST /logs/:name {level, line} · GET /files · POST /files/:name/rotate · GET /files/:name?lines=
// GET and PUT /level · GET /forms/rotate · GET /forms/level · GET /health

import { appendFile, mkdir, readdir, readFile, rename, stat } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Invocation } from "../../command.ts";

const version = "1.4.0";

export const levels = ["debug", "info", "warn", "error"] as const;
type Level = (typeof levels)[number];

interface LogFile {
  name: string;
  bytes: number;
}

/** What it answers when it cannot do what it was asked. */
class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

class LogCollector {
  level: Level = "info";
  received = 0;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async append(name: string, level: Level, line: string): Promise<boolean> {
    this.received++;
    if (levels.indexOf(level) < levels.indexOf(this.level)) return false;
    await appendFile(this.#path(name), `${level.toUpperCase()} ${line}\n`);
    return true;
  }

  async files(): Promise<LogFile[]> {
    const names = (await readdir(this.#folder)).filter((name) => name.endsWith(".log")).sort();
    return Promise.all(
      names.map(async (name) => ({ name, bytes: (await stat(this.#path(name))).size })),
    );
  }

  /** Renames `name` to the next free `name.N` and answers that name and its size. */
  async rotate(name: string): Promise<{ rotatedTo: string; bytes: number }> {
    const { size } = await this.#existing(name);
    const taken = await readdir(this.#folder);
    let number = 1;
    while (taken.includes(`${name}.${number}`)) number++;
    const rotatedTo = `${name}.${number}`;
    await rename(this.#path(name), this.#path(rotatedTo));
    return { rotatedTo, bytes: size };
  }

  async tail(name: string, lines: number): Promise<string[]> {
    await this.#existing(name);
    const text = await readFile(this.#path(name), "utf8");
    return text.split("\n").filter(Boolean).slice(-lines);
  }

  async #existing(name: string) {
    try {
      return await stat(this.#path(name));
    } catch {
      throw new Refusal(404, "FILE_GONE", `there is no file ${name}`);
    }
  }

  #path(name: string): string {
    if (!/^[a-z0-9-]+\.log(\.\d+)?$/.test(name)) {
      throw new Refusal(400, "BAD_NAME", `${name} is not the name of a log file`);
    }
    return join(this.#folder, name);
  }
}

/** `platform demo-collector`: runs until a signal; says where it listens on standard output. */
export async function runCollector({ io, options }: Invocation): Promise<void> {
  const { dir, port } = options as { dir: string; port: string };
  await mkdir(dir, { recursive: true });
  const collector = new LogCollector(dir);
  const server = createServer((request, response) => void answer(collector, request, response));
  await new Promise<void>((resolve) => server.listen(Number(port), "127.0.0.1", resolve));
  io.out(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
  await new Promise<void>((resolve) => {
    process.once("SIGTERM", resolve);
    process.once("SIGINT", resolve);
  });
  server.close();
  server.closeAllConnections();
}

async function answer(
  collector: LogCollector,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    const body = request.method === "GET" ? {} : await readJson(request);
    send(response, 200, await act(collector, request, body));
  } catch (error) {
    const known = error instanceof Refusal ? error : new Refusal(500, "FAILED", String(error));
    send(response, known.status, { error: { code: known.code, message: known.message } });
  }
}

async function act(
  collector: LogCollector,
  request: IncomingMessage,
  body: Record<string, unknown>,
): Promise<unknown> {
  const url = new URL(request.url ?? "/", "http://collector");
  const [area = "", name = "", verb = ""] = url.pathname.slice(1).split("/");
  switch (`${request.method} ${area}${verb ? ` ${verb}` : ""}`) {
    case "GET health":
      return { status: "UP", version, received: collector.received };
    case "GET level":
      return { level: collector.level };
    case "PUT level": {
      const before = collector.level;
      collector.level = readLevel(body.level);
      return { before, after: collector.level };
    }
    case "GET forms":
      return name === "rotate" ? rotateForm(await collector.files()) : levelForm(collector.level);
    case "GET files":
      if (name === "") return { files: await collector.files() };
      return { lines: await collector.tail(name, Number(url.searchParams.get("lines") ?? 10)) };
    case "POST files rotate":
      return collector.rotate(name);
    case "POST logs":
      return { kept: await collector.append(name, readLevel(body.level), String(body.line)) };
    default:
      throw new Refusal(404, "NOT_FOUND", "there is nothing here");
  }
}

/** What there is to rotate, for whoever asks a person: a schema, and how things stand. */
function rotateForm(files: LogFile[]) {
  const file = { type: "string", title: "File", enum: files.map(({ name }) => name) };
  return {
    inputSchema: { type: "object", required: ["file"], properties: { file } },
    currentState: { files },
  };
}

function levelForm(level: Level) {
  return { initialPayload: { level }, currentState: { level } };
}

function readLevel(value: unknown): Level {
  const level = levels.find((known) => known === value);
  if (!level) throw new Refusal(400, "BAD_LEVEL", `the level must be one of ${levels.join(", ")}`);
  return level;
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString("utf8"));
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}
