// bad-input.test.ts tests bodies that are refused.

import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test } from "vitest";
import { RequestAborted, readJsonText } from "../../../src/http/requests/body.ts";

function message(headers: Record<string, string> = {}): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  Object.assign(request.headers, { "content-type": "application/json", ...headers });
  return request;
}

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
