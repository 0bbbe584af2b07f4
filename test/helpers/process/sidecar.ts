// Runs `platform agent run` as a test program and reads its log.

import { logLines, type Program, startProgram, until } from "./process.ts";

export interface Sidecar extends Program {
  lines(): Record<string, unknown>[];
  /** Waits for a log line with these fields, and returns the first one. */
  logged(fields: Record<string, unknown>): Promise<Record<string, unknown>>;
  /** Waits for a log message that contains the text, and returns the first one. */
  said(text: string): Promise<string>;
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
