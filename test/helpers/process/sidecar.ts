// Runs `platform agent run` as a test program and reads its log.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import type { Client } from "../../../src/client/client.ts";
import { temporaryFolder } from "../app.ts";
import { logLines, type Program, startProgram, until } from "./process.ts";

export interface Sidecar extends Program {
  lines(): Record<string, unknown>[];
  /** Waits for a log line with these fields, and returns the first one. */
  logged(fields: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Waits for a log message that contains the text, and returns the first one. */
  said(text: string): Promise<string>;
}

/** Writes an agent.yaml with which an agent can register. Returns the file, in its own folder. */
export async function agentFile(
  server: { url: string },
  operator: Client,
  { code = "edge-1", ...config }: { code?: string; services: object[]; [field: string]: unknown },
): Promise<string> {
  const file = join(temporaryFolder(), "agent.yaml");
  const { token } = await operator.call("registration-tokens.create", { body: {} });
  const needed = {
    server: server.url,
    registrationToken: token,
    agent: { code },
    stateDir: "state",
  };
  writeFileSync(file, stringify({ ...needed, ...config }), { mode: 0o600 });
  return file;
}

/** Runs the agent of this file until the test ends. */
export function startSidecar(file: string, env: Record<string, string> = {}): Sidecar {
  const program = startProgram("platform", ["agent", "run", "--config", file], { env });
  const lines = () => logLines(program.stderr());
  const find = (what: string, matches: (line: Record<string, unknown>) => boolean) =>
    until(`it logs ${what}`, () => {
      const found = lines().find(matches);
      if (found || program.running()) return found;
      throw new Error(`the agent has ended: ${program.stderr()}`);
    });
  return {
    ...program,
    lines,
    logged: (fields) =>
      find(JSON.stringify(fields), (line) =>
        Object.entries(fields).every(([name, value]) => line[name] === value),
      ),
    said: async (text) => String((await find(text, ({ msg }) => `${msg}`.includes(text))).msg),
  };
}
