// Tests the error after Ctrl-C during a call.

import { expect, test } from "vitest";
import type { RouteName } from "../../../src/api/index.ts";
import { reportFailure } from "../../../src/cli/exit.ts";
import { abandoned } from "../../../src/cli/terminal/abandoned.ts";
import { Interrupted } from "../../../src/cli/terminal/interrupted.ts";
import { processIo } from "../../../src/cli/terminal/io.ts";
import { type Client, createClient, type Transport } from "../../../src/client/client.ts";
import { routeFacts } from "../../../src/domain/route-facts.ts";

const unknown = "interrupted; the server may have made the change";

/** Interrupts a call after or before it is sent, and returns the printed error. */
function said(call: RouteName, isSent = true) {
  return saidDuring((client) => client.call(call as "users.create", {} as never), isSent);
}

async function saidDuring(work: (client: Client) => Promise<unknown>, isSent = true) {
  const interrupt = new AbortController();
  const send = () => {
    interrupt.abort(new Interrupted());
    return Promise.reject(interrupt.signal.reason);
  };
  const transport = { send, request: send } as unknown as Transport;
  if (!isSent) interrupt.abort(new Interrupted());
  const client = createClient(transport, { signal: interrupt.signal, onAbandoned: abandoned });
  const error = await work(client).catch((thrown: unknown) => thrown);
  const notes: string[] = [];
  const io = { ...processIo("platformctl"), note: (text: string) => void notes.push(text) };
  expect(reportFailure(io, error, false)).toBe(130);
  return notes.join("");
}

test("a change that was sent may have been made, and the error says where to check", async () => {
  expect(await said("users.create")).toBe(
    `platformctl: ${unknown}: check platformctl users list\n`,
  );
});

test.each([
  ["users.list", true],
  ["rollouts.preview", true],
  ["backup.create", true],
  ["users.create", false],
] as [RouteName, boolean][])(
  "other interrupted calls add nothing to the error: %s, sent: %s",
  async (call, isSent) => {
    expect(await said(call, isSent)).toBe("platformctl: interrupted\n");
  },
);

test.each([
  ["POST", true, unknown],
  ["HEAD", true, "interrupted"],
  ["POST", false, "interrupted"],
] as const)("client.request with %s, sent: %s, says: %s", async (method, isSent, says) => {
  const request = { method, path: "/api/admin/users" };
  expect(await saidDuring((client) => client.request(request), isSent)).toBe(
    `platformctl: ${says}\n`,
  );
});

test("the routes that only test, preview, check or copy change nothing", () => {
  const changing = Object.entries(routeFacts).filter(([, { method }]) => method !== "GET");
  const harmless = changing.filter(([, { changesNothing }]) => changesNothing);
  const named = changing.filter(([name]) =>
    /\.(preview|test|replay|check|proof)\b|^(plans|backup)\.create$/.test(name),
  );
  expect(harmless.map(([name]) => name)).toEqual(named.map(([name]) => name));
});
