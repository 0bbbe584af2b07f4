// The demo's agent: it looks after the log collector from the outside, as an agent does. Its actions
// touch real things, through the collector's own small API.

import type { AgentEvent, Service } from "../../agent/index.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Invocation } from "../command.ts";
import { type Level, type LogFile, levels } from "./collector.ts";

interface Options {
  server: string;
  collector: string;
  dir: string;
}

/** `platform demo-agent`: runs until a signal; its events are lines on standard output. */
export async function runAgent({ io, options }: Invocation): Promise<void> {
  const { server, collector, dir } = options as unknown as Options;
  const { ActionError, createAgent } = await import("../../agent/index.ts");
  const refuse = (code: string, message: string) => new ActionError(code, message);
  const agent = createAgent({
    server,
    agent: {
      code: "edge-1",
      name: "Edge host 1",
      mode: "sidecar",
      version: "1.0.0",
      labels: { site: "demo" },
    },
    registrationToken: io.env.REGISTRATION_TOKEN,
    stateDir: dir,
    // The demo does not want to wait as long as a fleet does.
    timing: { heartbeatSeconds: 1, reportSeconds: 1, refusedRetrySeconds: 1 },
    onEvent: (event) => io.out(`${lineOf(event)}\n`),
  });
  agent.service(logCollector(collector, refuse));
  const stop = () => void agent.stop();
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  await agent.start();
}

type Refuse = (code: string, message: string) => Error;

/** The managed service, as its agent declares it. */
function logCollector(url: string, refuse: Refuse): Service {
  const call = caller(url, refuse);
  const files = async () => (await call<{ files: LogFile[] }>("GET", "/files")).files;
  const fileSchema = async (): Promise<JsonObject> => ({
    type: "string",
    title: "File",
    enum: (await files()).map((file) => file.name),
  });
  return {
    code: "log-collector",
    name: "Log collector",
    version: "1.4.0",
    description: "Appends the lines it is sent to files",
    health: async () => {
      const { received } = await call<{ received: number }>("GET", "/health");
      return { status: "UP", message: `${received} lines received` };
    },
    configs: [{ key: "endpoint", type: "url", source: "start", valuePreview: url }],
    actions: [
      {
        name: "rotate-log",
        label: "Rotate a log file",
        description: "Renames the file and starts a new one",
        dangerLevel: "HIGH",
        requiresConfirmation: true,
        timeoutSeconds: 30,
        inputSchema: {
          type: "object",
          required: ["file"],
          properties: { file: { type: "string", title: "File" } },
        },
        prepare: async () => ({
          inputSchema: {
            type: "object",
            required: ["file"],
            properties: { file: await fileSchema() },
          },
          currentState: { files: (await files()).map(({ name, bytes }) => ({ name, bytes })) },
        }),
        execute: ({ file }) => call("POST", `/files/${encodeURIComponent(String(file))}/rotate`),
      },
      {
        name: "set-level",
        label: "Set the level",
        description: "Lines below it are dropped",
        dangerLevel: "MEDIUM",
        timeoutSeconds: 10,
        inputSchema: {
          type: "object",
          required: ["level"],
          properties: { level: { type: "string", enum: [...levels], default: "info" } },
        },
        prepare: async () => {
          const { level } = await call<{ level: Level }>("GET", "/level");
          return { initialPayload: { level }, currentState: { level } };
        },
        execute: async ({ level }) => {
          const before = await call<{ level: Level }>("GET", "/level");
          const after = await call<{ level: Level }>("PUT", "/level", { level: String(level) });
          return { before: before.level, after: after.level };
        },
      },
      {
        name: "tail",
        label: "Show the last lines",
        description: "Reads the end of a log file",
        timeoutSeconds: 10,
        inputSchema: {
          type: "object",
          required: ["file"],
          properties: {
            file: { type: "string", title: "File" },
            lines: { type: "integer", minimum: 1, maximum: 100, default: 10 },
          },
        },
        execute: ({ file, lines }) =>
          call("GET", `/files/${encodeURIComponent(String(file))}?lines=${Number(lines ?? 10)}`),
      },
    ],
  };
}

/** Calls the collector; what it refuses, and that it is gone, is told in its own words. */
function caller(url: string, refuse: Refuse) {
  return async <T = JsonObject>(method: string, path: string, body?: JsonObject): Promise<T> => {
    const answer = await fetch(url + path, {
      method,
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch((error: unknown) => {
      const reason = (error as { cause?: { code?: string } }).cause?.code ?? String(error);
      throw refuse("COLLECTOR_DOWN", `the collector does not answer (${reason})`);
    });
    const value = (await answer.json()) as JsonObject;
    if (!answer.ok) throw refuse(String(value.code), String(value.message));
    return value as T;
  };
}

function lineOf(event: AgentEvent): string {
  const code = "code" in event ? ` ${event.code}` : "";
  return `${event.at} ${event.type}${code}: ${event.message}`;
}
