import { expect, test } from "vitest";
import { listenTestApp } from "../../helpers/http/http.ts";

const https = "https://agents.example.com";
const nonce = "0123456789abcdef";

/** `PORT` is replaced with the port of the listener. */
test.each<[env: object, url: string, isOwn: boolean, headers?: object]>([
  [{}, "http://127.0.0.1:PORT", true],
  [{}, "http://localhost:PORT", true],
  [{}, "http://127.0.0.2:PORT", false],
  [{}, "http://[::1]:PORT", false],
  [{}, "http://127.0.0.1:1", false],
  [{}, "http://127.0.0.1", false],
  [{}, "https://127.0.0.1:PORT", false],
  [{}, "http://127.0.0.1:PORT/path", false],
  [{}, "http://me@127.0.0.1:PORT", false],
  [{}, "ws://127.0.0.1:PORT", false],
  [{}, "nonsense", false],
  [{}, https, false],
  [{}, https, false, { "x-forwarded-host": "agents.example.com" }],
  // Through a proxy on this host, 127.0.0.1 can be the client's own host.
  [{}, "http://127.0.0.1:PORT", false, { "x-forwarded-for": "192.0.2.7" }],
  [{}, "http://127.0.0.1:PORT", false, { via: "1.1 proxy" }],
  [{ PUBLIC_URL: https }, https, true],
  [{ PUBLIC_URL: https }, https, true, { "x-forwarded-for": "192.0.2.7" }],
  [{ PUBLIC_URL: https }, `${https}/`, true],
  [{ PUBLIC_URL: https }, `${https}:443`, true],
  [{ PUBLIC_URL: https }, "http://agents.example.com", false],
  [{ PUBLIC_URL: https }, `${https}:8443`, false],
  [{ PUBLIC_URL: https }, `${https}/path`, false],
  [{ PUBLIC_URL: `${https}/path` }, `${https}/path/`, true],
  [{ PUBLIC_URL: `${https}/path` }, https, false],
  [{ PUBLIC_URL: "http://localhost:8443" }, "http://localhost:8443", false],
  [{ ALLOWED_HOSTS: "agents.example.com" }, https, true],
  [{ ALLOWED_HOSTS: "agents.example.com" }, "http://agents.example.com", true],
  [{ ALLOWED_HOSTS: "agents.example.com" }, "http://agents.example.com:PORT", true],
  [{ ALLOWED_HOSTS: "agents.example.com" }, "http://agents.example.com:1", false],
  [{ ALLOWED_HOSTS: "agents.example.com" }, "https://agents.exmaple.com", false],
  [{ ALLOWED_HOSTS: "agents.example.com", PUBLIC_URL: https }, "http://agents.example.com", false],
  [{ ALLOWED_HOSTS: "localhost" }, "http://localhost:1", false],
  [{ ALLOWED_HOSTS: "localhost" }, "http://localhost", false],
])(
  "with the environment %j, %s is the server's own URL: %j",
  async (env, url, isOwn, headers = {}) => {
    const server = await listenTestApp(env as Record<string, string>);
    const question = { agentId: "agt_1", server: url.replace("PORT", `${server.port}`), nonce };
    const options = { body: question, headers: headers as Record<string, string> };
    const { status, body } = await server.request("POST", "/api/agents/proof", options);
    expect([status, body.error?.code]).toEqual(
      isOwn ? [200, undefined] : [421, "MISDIRECTED_HOST"],
    );
  },
);

test("values with line breaks are refused, because the proof would be ambiguous", async () => {
  const server = await listenTestApp();
  const ask = (changed: object) => {
    const body = { agentId: "agt_1", server: server.url, nonce, ...changed };
    return server.request("POST", "/api/agents/proof", { body });
  };
  expect((await ask({ agentId: "agt_1\nx" })).status).toBe(422);
  expect((await ask({ server: `${server.url}\n` })).status).toBe(422);
  expect((await ask({ nonce: `x\n${nonce}` })).status).toBe(422);
});
