import { expect } from "vitest";
import type { Reply } from "../../src/api/index.ts";
import type { Client } from "../../src/client/client.ts";

type Part = Reply<"commands.output">["parts"][number];

/** Reads the whole output of a command that has ended. Fails if a part is out of order. */
export async function outputOf(operator: Client, commandId: string): Promise<Part[]> {
  const parts: Part[] = [];
  for (let after = 0; ; ) {
    const query = { after, wait: 20 };
    const page = await operator.call("commands.output", { params: { commandId }, query });
    for (const part of page.parts) {
      expect(part.offset).toBe(after);
      after += part.bytes;
    }
    parts.push(...page.parts);
    if (page.complete) return parts;
  }
}

/**
 * Returns the output that the server has so far, for a command with little output. Tests must poll
 * this: a result waits for the output for only a second, so output can arrive after the result.
 */
export async function textSoFar(
  operator: Client,
  commandId: string,
  streams: readonly string[] = ["stdout", "stderr"],
): Promise<string> {
  const { parts } = await operator.call("commands.output", { params: { commandId } });
  return textOf(parts.filter(({ stream = "" }) => streams.includes(stream)));
}

export const textOf = (parts: Part[]) => parts.map(({ text = "" }) => text).join("");
