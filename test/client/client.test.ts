// The typed client over a transport of the test: what it sends for a call, and what it makes of an
// answer.

import { describe, expect, test } from "vitest";
import {
  createClient,
  type TransportAnswer,
  type TransportRequest,
} from "../../src/client/client.ts";
import { ServerError } from "../../src/client/failures.ts";
import { AppError } from "../../src/domain/errors.ts";

function clientThatHears(status: number, body: unknown) {
  const sent: TransportRequest[] = [];
  let closed = 0;
  const client = createClient({
    target: "http://there",
    async send(request): Promise<TransportAnswer> {
      sent.push(request);
      return { status, body };
    },
    async request() {
      throw new Error("not here");
    },
    async close() {
      closed++;
    },
  });
  return { client, sent, closed: () => closed };
}

const ok = (data: unknown) => ({ success: true, data });

describe("what is sent", () => {
  test("a GET has no body, anything else has one", async () => {
    const { client, sent } = clientThatHears(200, ok({}));
    await client.call("system.version");
    await client.call("auth.logout");
    await client.call("registration-tokens.create", { body: { name: "x" } });
    expect(sent).toMatchObject([
      { name: "system.version", spec: { method: "GET" }, params: {}, query: {}, body: undefined },
      { name: "auth.logout", body: {} },
      { name: "registration-tokens.create", body: { name: "x" } },
    ]);
    expect("body" in sent[0]! && sent[0].body === undefined).toBe(true);
  });

  test("params, query, signal and time-out go along", async () => {
    const { client, sent } = clientThatHears(200, ok({}));
    const { signal } = new AbortController();
    const input = { params: { commandId: "cmd_1" }, query: { wait: 5 } };
    await client.call("commands.get", input, { signal, timeoutMs: 7000 });
    expect(sent).toMatchObject([{ ...input, signal, timeoutMs: 7000 }]);
  });
});

describe("what comes back", () => {
  test("data of a call; data and its place of a page; the document as it is", async () => {
    const pagination = { page: 1, pageSize: 20, total: 0 };
    expect(await clientThatHears(200, ok({ a: 1 })).client.call("system.version")).toEqual({
      a: 1,
    });
    const { client } = clientThatHears(200, { ...ok([]), pagination });
    expect(await client.page("agents.list")).toEqual({ data: [], pagination });
    expect(await client.call("agents.list")).toEqual([]);
    const document = clientThatHears(200, { openapi: "3.1.0" }).client;
    expect(await document.call("system.openapi")).toEqual({ openapi: "3.1.0" });
  });

  test("a success may come with a status of failure", async () => {
    const { client } = clientThatHears(503, ok({ status: "DOWN" }));
    expect(await client.call("system.health")).toEqual({ status: "DOWN" });
  });

  test("a failure is the error that the server threw", async () => {
    const error = {
      code: "COMMAND_ALREADY_COMPLETED",
      message: "The command has ended.",
      details: { status: "FAILED" },
      requestId: "req_1",
    };
    const { client } = clientThatHears(409, { success: false, error });
    const thrown = await client.call("auth.me").catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(AppError);
    expect(thrown).toMatchObject({
      code: "COMMAND_ALREADY_COMPLETED",
      message: "The command has ended.",
      details: { status: "FAILED" },
    });
  });

  test.each([
    { name: "nothing", status: 200, body: undefined },
    { name: "null", status: 200, body: null },
    { name: "text", status: 200, body: "hello" },
    { name: "another JSON", status: 404, body: { message: "no such page" } },
    { name: "a proxy's page", status: 502, body: undefined },
    { name: "an error without a code", status: 400, body: { success: false, error: {} } },
    {
      name: "an error without a message",
      status: 400,
      body: { success: false, error: { code: "NOT_FOUND" } },
    },
    { name: "an error of another API", status: 409, body: { error: { code: "X", message: "y" } } },
  ])("$name is not this API", async ({ status, body }) => {
    const { client } = clientThatHears(status, body);
    await expect(client.call("system.version")).rejects.toMatchObject({
      name: "AppError",
      code: "UNAVAILABLE",
      message: `http://there responded with ${status}, but the response is not from this API.`,
    });
  });

  test("a code of a newer server is told with its message, its details and its status", async () => {
    const error = {
      code: "MOON_TOO_FULL",
      message: "Wait for another moon.",
      details: { days: 3 },
    };
    const { client } = clientThatHears(409, { success: false, error });
    const thrown = await client.call("auth.me").catch((reason: unknown) => reason);
    expect(thrown).toBeInstanceOf(ServerError);
    expect(thrown).toMatchObject({ ...error, status: 409 });
  });

  test("who uses the client says what UNAUTHORIZED means, and nothing else", async () => {
    const transportOf = (code: string, status: number) => ({
      target: "http://there",
      send: async () => ({ status, body: { success: false, error: { code, message: "no" } } }),
      request: async () => {
        throw new Error("not here");
      },
      close: async () => undefined,
    });
    const onUnauthorized = () => new Error("sign in");
    const refused = createClient(transportOf("UNAUTHORIZED", 401), { onUnauthorized });
    await expect(refused.call("auth.me")).rejects.toThrow("sign in");
    const forbidden = createClient(transportOf("FORBIDDEN", 403), { onUnauthorized });
    await expect(forbidden.call("auth.me")).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  test("a document that is none is not this API either", async () => {
    await expect(
      clientThatHears(200, undefined).client.call("system.openapi"),
    ).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
  });
});

test("closing closes the transport", async () => {
  const { client, closed } = clientThatHears(200, ok({}));
  await client.close();
  expect(closed()).toBe(1);
});
