// Ctrl-C while a call is under way: what may have been done is not passed over in silence.

import { expect, test } from "vitest";
import { reportFailure } from "../../../src/cli/exit.ts";
import { abandoned } from "../../../src/cli/terminal/abandoned.ts";
import { Interrupted } from "../../../src/cli/terminal/interrupted.ts";
import { processIo } from "../../../src/cli/terminal/io.ts";
import { createClient, type Transport } from "../../../src/client/client.ts";

const unknown = "interrupted; the server may have done it";

/** What is said when the call is interrupted; `isSent` before that. */
async function said(call: "users.create" | "users.list" | "actions.prepare", isSent = true) {
  const interrupt = new AbortController();
  const transport = {
    send() {
      interrupt.abort(new Interrupted());
      return Promise.reject(interrupt.signal.reason);
    },
  } as unknown as Transport;
  if (!isSent) interrupt.abort(new Interrupted());
  const client = createClient(transport, { signal: interrupt.signal, onAbandoned: abandoned });
  const error = await client.call(call, {} as never).catch((thrown: unknown) => thrown);
  const notes: string[] = [];
  const io = { ...processIo("platformctl"), note: (text: string) => void notes.push(text) };
  expect(reportFailure(io, error, false)).toBe(130);
  return notes.join("");
}

test("a change that was sent may have been made; where to look is said", async () => {
  expect(await said("users.create")).toBe(
    `platformctl: ${unknown}: check platformctl users list\n`,
  );
});

test.each([
  ["users.list", true],
  ["actions.prepare", true],
  ["users.create", false],
] as const)("of others nothing is said: %s, sent: %s", async (call, isSent) => {
  expect(await said(call, isSent)).toBe("platformctl: interrupted\n");
});
