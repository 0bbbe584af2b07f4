// The typed client over a test transport.

import { expect, test } from "vitest";
import { type ClientOptions, createClient, type Transport } from "../../src/client/client.ts";
import { ServerError } from "../../src/client/failures.ts";
import { AppError } from "../../src/domain/errors.ts";

function clientWithResponse(status: number, body: unknown, options?: ClientOptions) {
  const send = async () => ({ status, body });
  const close = async () => undefined;
  return createClient({ target: "http://there", send, close } as unknown as Transport, options);
}

const ok = (data: unknown) => ({ success: true, data });

test("the client returns a call's data, a page's data and pagination, and the raw document", async () => {
  const pagination = { page: 1, pageSize: 20, total: 0 };
  expect(await clientWithResponse(200, ok({ a: 1 })).call("system.version")).toEqual({
    a: 1,
  });
  const client = clientWithResponse(200, { ...ok([]), pagination });
  expect(await client.page("agents.list")).toEqual({ data: [], pagination });
  expect(await client.call("agents.list")).toEqual([]);
  const document = clientWithResponse(200, { openapi: "3.1.0" });
  expect(await document.call("system.openapi")).toEqual({ openapi: "3.1.0" });
  const none = clientWithResponse(200, undefined).call("system.openapi");
  await expect(none).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

test("a server was reached after its first response, until the client is closed", async () => {
  const client = clientWithResponse(200, ok({}));
  expect(client.reached).toBe(false);
  await client.call("system.version");
  expect(client.reached).toBe(true);
  await client.close();
  expect(client.reached).toBe(false);
});

test("a server does not become reached by a call that ends after the client is closed", async () => {
  const response = Promise.withResolvers<{ status: number; body: unknown }>();
  const transport = { send: () => response.promise, close: async () => undefined };
  const client = createClient(transport as unknown as Transport);
  const call = client.call("system.version");
  await client.close();
  response.resolve({ status: 200, body: ok({}) });
  await call;
  expect(client.reached).toBe(false);
});

test("a call returns a success even if its status is an error status", async () => {
  const client = clientWithResponse(503, ok({ status: "DOWN" }));
  expect(await client.call("system.health")).toEqual({ status: "DOWN" });
});

test("a call throws an error from the server", async () => {
  const error = {
    code: "COMMAND_ALREADY_COMPLETED",
    message: "The command has ended.",
    details: { status: "FAILED" },
    requestId: "req_1",
  };
  const client = clientWithResponse(409, { success: false, error });
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
  { name: "text", status: 200, body: "hello" },
  { name: "an error without a code", status: 400, body: { success: false, error: {} } },
  {
    name: "an error without a message",
    status: 400,
    body: { success: false, error: { code: "NOT_FOUND" } },
  },
  { name: "an error of another API", status: 409, body: { error: { code: "X", message: "y" } } },
])("a call does not accept $name as a response from this API", async ({ status, body }) => {
  const client = clientWithResponse(status, body);
  await expect(client.call("system.version")).rejects.toMatchObject({
    name: "AppError",
    code: "UNAVAILABLE",
    message: expect.stringMatching(
      `^http://there responded with ${status}, but the response is not from this API\\.`,
    ),
  });
});

test.each<[status: number, advises: boolean]>([
  [502, true],
  [504, true],
  [404, false],
])("a foreign response with %d advises to look behind the proxy: %s", async (status, advises) => {
  const call = clientWithResponse(status, undefined).call("system.version");
  const { message } = await call.then(
    () => ({ message: "" }),
    (error: Error) => error,
  );
  expect(/reached no server: check that the servers are running\.$/.test(message)).toBe(advises);
});

test("a call throws an unknown code with its message, details and status", async () => {
  const error = {
    code: "MOON_TOO_FULL",
    message: "Wait for another moon.",
    details: { days: 3 },
  };
  const client = clientWithResponse(409, { success: false, error });
  const thrown = await client.call("auth.me").catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(ServerError);
  expect(thrown).toMatchObject({ ...error, status: 409 });
});

test("the client lets its user replace only UNAUTHORIZED errors", async () => {
  const onUnauthorized = () => new Error("sign in");
  const failing = (status: number, code: string) => {
    const body = { success: false, error: { code, message: "no" } };
    return clientWithResponse(status, body, { onUnauthorized }).call("auth.me");
  };
  await expect(failing(401, "UNAUTHORIZED")).rejects.toThrow("sign in");
  await expect(failing(403, "FORBIDDEN")).rejects.toMatchObject({ code: "FORBIDDEN" });
});
