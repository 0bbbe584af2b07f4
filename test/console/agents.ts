// What the agents of these tests do.

import { expect } from "vitest";
import { atEnd } from "../helpers/lifetime.ts";
import type { RemoteAgent } from "../helpers/process/process.ts";

interface Delivered {
  id: string;
  type: string;
  action: string;
  payload: Record<string, unknown>;
}

/** Waits for the agent's next command, ends it, and returns it. */
export async function endCommand(
  { call }: RemoteAgent,
  result: object = { success: true, output: {} },
): Promise<Delivered> {
  let command: Delivered | undefined;
  while (!command) [command] = (await call("GET", "/commands?wait=20")).body.data.commands;
  const { status } = await call("POST", `/commands/${command.id}/result`, result);
  expect(status).toBe(200);
  return command;
}

/** Ends commands until the test ends, except those without a result. */
export function endCommands(
  { call }: RemoteAgent,
  resultOf: (command: Delivered) => object | undefined,
): void {
  let isOver = false;
  const work = async () => {
    while (!isOver) {
      const { body } = await call("GET", "/commands?wait=1");
      for (const command of (body.data?.commands ?? []) as Delivered[]) {
        const result = resultOf(command);
        if (result) await call("POST", `/commands/${command.id}/result`, result);
      }
    }
  };
  const working = work().catch((error) => {
    if (!isOver) throw error;
  });
  atEnd(async () => {
    isOver = true;
    await working;
  });
}
