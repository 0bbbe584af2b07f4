// The Retry-After header in all its forms, in every kind of failed response.

import { expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { retryAfterSecondsOf } from "../../src/client/retry-after.ts";
import { httpTransport } from "../../src/client/transport-http.ts";
import { serveHttp } from "../helpers/http/listen.ts";

const date = "Sat, 21 Nov 2026 10:00:00 GMT";

test.each<[string | undefined, string | undefined, number | undefined]>([
  [undefined, date, undefined],
  ["", date, undefined],
  ["0", date, 0],
  ["120", undefined, 120],
  [" 5 ", undefined, 5],
  ["-1", undefined, undefined],
  ["1.5", undefined, undefined],
  ["soon", date, undefined],
  ["Sat, 21 Nov 2026 10:01:30 GMT", date, 90],
  ["Sat, 21 Nov 2026 09:00:00 GMT", date, 0],
  ["Sat, 21 Nov 2026 10:01:30 GMT", undefined, undefined],
])("Retry-After: %s at %s", (retryAfter, at, seconds) => {
  const headers = { "retry-after": retryAfter, ...(at === undefined ? {} : { date: at }) };
  expect(retryAfterSecondsOf(headers)).toBe(seconds);
});

test.each([
  ["a known code", 503, '{"success":false,"error":{"code":"UNAVAILABLE","message":"x"}}'],
  ["an unknown code", 429, '{"success":false,"error":{"code":"SLOW_DOWN","message":"x"}}'],
  ["a response from another server", 503, "<h1>Maintenance</h1>"],
])("is kept on %s", async (_, status, body) => {
  const url = await serveHttp((_request, response) => {
    response.writeHead(status, { "retry-after": "7" }).end(body);
  });
  const client = createClient(httpTransport({ url, userAgent: "x" }));
  onTestFinished(() => client.close());
  await expect(client.call("system.health")).rejects.toMatchObject({ retryAfterSeconds: 7 });
});
