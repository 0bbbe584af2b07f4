import { expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { type LocalDoor, localTransport } from "../../src/client/transport-local.ts";

function clientOf(door: LocalDoor) {
  let closed = 0;
  const client = createClient(
    localTransport("a file", door, async () => {
      closed++;
    }),
  );
  return { client, closed: () => closed };
}

test("a call is dispatched by its name, without undefined query fields", async () => {
  const calls: unknown[] = [];
  const { client } = clientOf(async (call) => {
    calls.push(call);
    return { status: 200, body: { success: true, data: {} } };
  });
  await client.call("commands.get", { params: { commandId: "a/b" }, query: { wait: undefined } });
  await client.call("registration-tokens.create", { body: { name: "x" } });
  expect(calls).toEqual([
    { route: "commands.get", params: { commandId: "a/b" }, query: {}, body: undefined },
    { route: "registration-tokens.create", params: {}, query: {}, body: { name: "x" } },
  ]);
});

test("a response is a JSON copy of the data", async () => {
  const data = { at: new Date(0), gone: undefined, list: [undefined] };
  const { client } = clientOf(async () => ({ status: 200, body: { success: true, data } }));
  expect(await client.call("system.version")).toStrictEqual({
    at: "1970-01-01T00:00:00.000Z",
    list: [null],
  });
});

test("errors are thrown, including those from the entry point, and closing closes the transport", async () => {
  const error = { code: "FORBIDDEN", message: "no", requestId: null };
  const refusing = clientOf(async () => ({ status: 403, body: { success: false, error } }));
  await expect(refusing.client.call("auth.me")).rejects.toMatchObject({ code: "FORBIDDEN" });
  const broken = clientOf(() => Promise.reject(new Error("broken")));
  await expect(broken.client.call("auth.me")).rejects.toThrow("broken");
  await broken.client.close();
  expect(broken.closed()).toBe(1);
});

test("a signal ends a call that waits, and prevents a later call", async () => {
  const leaving = new AbortController();
  let calls = 0;
  const { client } = clientOf(() => new Promise(() => calls++));
  for (const _ of ["waiting", "later"]) {
    const call = client.call("system.version", {}, { signal: leaving.signal });
    leaving.abort(new Error("enough"));
    await expect(call).rejects.toThrow("enough");
  }
  expect(calls).toBe(1);
});
