// bad-input.test.ts tests bodies that are refused.

import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { BodyTooLarge, RequestAborted, readJsonText } from "../../../src/http/requests/body.ts";

function message(headers: Record<string, string> = {}): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, { "content-type": "application/json", ...headers });
  return request;
}

test("the pieces of a body are joined", async () => {
  const request = message();
  const value = readJsonText(request, { bytes: 100 });
  for (const piece of ['{"a', '":', "[1]}"]) request.push(piece);
  request.push(null);
  expect((await value)?.parse()).toEqual({ a: [1] });
});

test("a request without a body has the body undefined", async () => {
  const request = message();
  request.push(null);
  expect(await readJsonText(request, { bytes: 100 })).toBeUndefined();
});

test("a request that was closed before reading is aborted", async () => {
  const request = message();
  request.destroy();
  await new Promise((resolve) => request.once("close", resolve));
  await expect(readJsonText(request, { bytes: 100 })).rejects.toBeInstanceOf(RequestAborted);
});

test("a request whose connection closes during reading is aborted, even if the body was complete", async () => {
  const request = message();
  const value = readJsonText(request, { bytes: 100 });
  request.push("{}");
  request.complete = true;
  request.destroy();
  await expect(value).rejects.toBeInstanceOf(RequestAborted);
});

test.each([
  { name: "announced", headers: { "content-length": "101" }, piece: "" },
  { name: "sent", headers: {}, piece: "x".repeat(101) },
])("a body over the limit, $name, is too large", async ({ headers, piece }) => {
  const request = message(headers);
  const value = readJsonText(request, { bytes: 100 });
  if (piece) request.push(piece);
  await expect(value).rejects.toBeInstanceOf(BodyTooLarge);
});
