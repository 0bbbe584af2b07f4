import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { routes } from "../../src/api/index.ts";
import { compressionOf } from "../../src/http/compression.ts";
import { listenTestApp } from "../helpers/http/http.ts";
import { perFile } from "../helpers/lifetime.ts";

/** The list of tokens is large, and the list of users is small. */
async function openLists() {
  const app = await listenTestApp();
  for (let made = 0; made < 20; made++) {
    await app.as("owner").call("registration-tokens.create", { body: { name: `rack ${made}` } });
  }
  return { ...app, key: await app.apiKey("owner") };
}

const shared = perFile(openLists);

async function ask(path: string, accepted: string | undefined) {
  const { port, key } = shared();
  const headers = {
    authorization: `Bearer ${key}`,
    ...(accepted === undefined ? {} : { "accept-encoding": accepted }),
  };
  const asked = request({ port, host: "127.0.0.1", path, headers }).end();
  const [answer]: IncomingMessage[] = await once(asked, "response");
  const body = await buffer(answer!);
  const { "content-encoding": coding, vary, "content-length": length } = answer!.headers;
  expect(answer!.statusCode).toBe(200);
  expect(Number(length)).toBe(body.length);
  return { coding, vary, body };
}

const tokens = "/api/admin/registration-tokens?pageSize=50";

test("a list has the content coding that the client prefers", async () => {
  const plain = await ask(tokens, undefined);
  expect(plain).toMatchObject({ coding: undefined, vary: "Accept-Encoding" });
  const inBrotli = await ask(tokens, "gzip, deflate, br, zstd");
  expect(inBrotli).toMatchObject({ coding: "br", vary: "Accept-Encoding" });
  expect(String(brotliDecompressSync(inBrotli.body))).toBe(String(plain.body));
  expect(inBrotli.body.length).toBeLessThan(plain.body.length / 3);
  const inGzip = await ask(tokens, "gzip");
  expect(inGzip.coding).toBe("gzip");
  expect(String(gunzipSync(inGzip.body))).toBe(String(plain.body));
  expect(await ask(tokens, "br;q=0, identity")).toEqual(plain);
});

test("small responses, and those with a secret, are not compressed", async () => {
  const { body, ...small } = await ask("/api/admin/users", "br");
  expect(small).toEqual({ coding: undefined, vary: "Accept-Encoding" });
  expect(body.length).toBeLessThan(1400);
  const { coding, vary } = await ask("/api/admin/auth/me", "br");
  expect({ coding, vary }).toEqual({ coding: undefined, vary: undefined });
});

test("responses that can have a secret beside a text of others are never compressed", () => {
  const compressed = (name: keyof typeof routes) =>
    compressionOf(routes[name], { headers: { "accept-encoding": "br" } } as IncomingMessage)
      ?.coding;
  const secret = [
    "auth.me",
    "commands.get",
    "actions.prepare",
    "agent.register",
    "agent.poll",
  ] as const;
  expect(secret.filter(compressed)).toEqual([]);
  const others = ["services.list", "overview.get", "audit-events.list"] as const;
  expect(others.map(compressed)).toEqual(["br", "br", "br"]);
});
