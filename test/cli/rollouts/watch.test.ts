// What `rollouts watch` draws on a terminal.

import { expect, test } from "vitest";
import { followRollout } from "../../../src/cli/commands/rollouts/watch.ts";
import { targetStates } from "../../../src/domain/rollouts.ts";
import { until } from "../../helpers/process/process.ts";

const clear = "\r\u001b[2K";

test("a failure is printed on a line of its own, even if the progress was drawn meanwhile", async () => {
  const notes: string[] = [];
  const io = {
    interactive: true,
    now: Date.now,
    note: (text: string) => notes.push(text),
    out() {},
  };
  const none = Object.fromEntries(targetStates.map((state) => [state, 0]));
  const rollout = { id: "rol_1", state: "FAILED", targets: { ...none, FAILED: 1 }, waves: [] };
  const failed = { position: 0, serviceCode: "web-1", errorCode: "BROKEN", errorMessage: null };
  const api = {
    call: async () => ({ ...rollout, choice: {}, payload: {} }),
    page: async () => {
      const drawn = notes.length;
      await until("another frame", () => notes.length > drawn);
      return { data: [failed] };
    },
  };
  const signal = new AbortController().signal;
  const invocation = { io, options: { timeout: 60, output: "name" }, signal };
  expect(await followRollout(invocation as never, api as never, "rol_1")).toBe(7);
  const at = notes.indexOf("failed: web-1: BROKEN\n");
  expect(at).toBeGreaterThan(0);
  expect(notes[at - 1]).toBe(clear);
});
