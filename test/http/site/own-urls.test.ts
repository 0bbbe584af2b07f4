import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { ownUrlCheck } from "../../../src/http/site/own-urls.ts";
import { listenTestApp } from "../../helpers/http/http.ts";

const https = "https://agents.example.com";
const nonce = "0123456789abcdef";

interface Names {
  publicUrl?: string;
  allowedHosts?: string[];
}

const published = { publicUrl: https };
const withPath = { publicUrl: `${https}/path` };
const allowed = { allowedHosts: ["agents.example.com"] };
const local = { allowedHosts: ["localhost"] };

/** The listener has the port 8080, and the request arrived at 127.0.0.1. */
test.each<[names: Names, url: string, isOwn: boolean, headers?: object]>([
  [{}, "http://127.0.0.1:8080", true],
  [{}, "http://localhost:8080", true],
  [{}, "http://127.0.0.2:8080", false],
  [{}, "http://[::1]:8080", false],
  [{}, "http://127.0.0.1:1", false],
  [{}, "http://127.0.0.1", false],
  [{}, "https://127.0.0.1:8080", false],
  [{}, "http://127.0.0.1:8080/path", false],
  [{}, "http://me@127.0.0.1:8080", false],
  [{}, "nonsense", false],
  [{}, https, false],
  [{}, https, false, { "x-forwarded-host": "agents.example.com" }],
  // Through a proxy on this host, 127.0.0.1 can be the client's own host.
  [{}, "http://127.0.0.1:8080", false, { "x-forwarded-for": "192.0.2.7" }],
  [{}, "http://127.0.0.1:8080", false, { via: "1.1 proxy" }],
  [published, https, true, { "x-forwarded-for": "192.0.2.7" }],
  [published, `${https}/`, true],
  [published, `${https}:443`, true],
  [published, "http://agents.example.com", false],
  [published, `${https}:8443`, false],
  [published, `${https}/path`, false],
  [withPath, `${https}/path/`, true],
  [withPath, https, false],
  [{ publicUrl: "http://localhost:8443" }, "http://localhost:8443", false],
  [allowed, https, true],
  [allowed, "http://agents.example.com", true],
  [allowed, "http://agents.example.com:8080", true],
  [allowed, "http://agents.example.com:1", false],
  [allowed, "https://agents.exmaple.com", false],
  [{ ...allowed, ...published }, "http://agents.example.com", false],
  [local, "http://localhost:1", false],
  [local, "http://localhost", false],
])("with %j, %s is the server's own URL: %j", (names, url, isOwn, headers = {}) => {
  const check = ownUrlCheck({ publicUrl: null, allowedHosts: [], boundHost: "0.0.0.0", ...names });
  const socket = { localAddress: "127.0.0.1", localPort: 8080 };
  expect(check({ socket, headers } as unknown as IncomingMessage, url)).toBe(isOwn);
});

test("the server confirms only its own URL, and refuses values with line breaks, because the proof would be ambiguous", async () => {
  const server = await listenTestApp();
  const ask = async (changed: object) => {
    const body = { agentId: "agt_1", server: server.url, nonce, ...changed };
    const answer = await server.request("POST", "/api/agents/proof", { body });
    return [answer.status, answer.body.error?.code];
  };
  expect(await ask({})).toEqual([200, undefined]);
  expect(await ask({ server: https })).toEqual([421, "MISDIRECTED_HOST"]);
  for (const broken of [
    { agentId: "agt_1\nx" },
    { server: `${server.url}\n` },
    { nonce: `x\n${nonce}` },
  ]) {
    expect(await ask(broken)).toEqual([422, "VALIDATION_FAILED"]);
  }
});
