import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { problemOfProxy, proxyFromEnvironment, shownProxy } from "../../src/client/proxy.ts";
import { type HttpTransportOptions, httpTransport } from "../../src/client/transport-http.ts";
import { Untrusted } from "../../src/client/unreachable.ts";
import { listenTestApp } from "../helpers/http/http.ts";
import { type CertificateName, ca, certificatePair } from "../helpers/http/https.ts";
import { listen } from "../helpers/http/listen.ts";
import { startProxy } from "../helpers/http/proxy.ts";

const both = { HTTPS_PROXY: "http://secure:1", HTTP_PROXY: "http://plain:2" };

test.each<[string, Record<string, string>, string | null]>([
  ["https://a.example", {}, null],
  ["https://a.example", both, "http://secure:1"],
  ["http://a.example", both, "http://plain:2"],
  ["https://a.example", { HTTP_PROXY: "http://plain:2" }, null],
  ["https://a.example", { ...both, https_proxy: "http://small:3" }, "http://small:3"],
  ["https://a.example", { ...both, https_proxy: " " }, "http://secure:1"],
  ["https://a.example", { HTTPS_PROXY: "secure:1" }, "secure:1"],
  // No proxy is used for the local host.
  ["http://127.0.0.1:8080", both, null],
  ["http://localhost:8080", both, null],
  ["https://[::1]:8080", both, null],
  ["https://127.0.0.1.example", both, "http://secure:1"],
  ["nonsense", both, null],
])("%s with the environment %o uses the proxy %s", (server, environment, proxy) => {
  expect(proxyFromEnvironment(server, environment)?.text ?? null).toBe(proxy);
});

test.each<[string, string, boolean]>([
  ["https://a.example", "", false],
  ["https://a.example", "*", true],
  ["https://a.example", "b.example, *", true],
  ["https://a.example", "a.example", true],
  ["https://a.example", "A.EXAMPLE.", true],
  ["https://b.a.example", "a.example", true],
  ["https://b.a.example", "*.a.example", true],
  ["https://ba.example", "a.example", false],
  ["https://a.example", "x,y a.example\tz", true],
  ["https://a.example", "a.example:443", true],
  ["https://a.example", "a.example:80", false],
  ["http://a.example", "a.example:80", true],
  ["http://10.1.2.3", "10.1.2.3", true],
  ["http://10.1.2.3", "2.3", false],
  ["http://10.1.2.3", "10.0.0.0/8", true],
  ["http://10.1.2.3", "fd00::/8", false],
  ["http://10.1.2.3", "::/0", false],
  ["http://10.1.2.3", "private", false],
  ["http://[fd00::1]", "fd00::/8", true],
  ["http://[fd00::1]", "[fd00::1]:80", true],
])("%s with NO_PROXY '%s' is called directly: %s", (server, NO_PROXY, straight) => {
  const environment = { HTTP_PROXY: "http://p:1", HTTPS_PROXY: "http://p:1", NO_PROXY };
  expect(proxyFromEnvironment(server, environment) === null).toBe(straight);
});

test.each<[string, boolean]>([
  ["http://p.example:3128", true],
  ["https://p.example", true],
  ["p.example:3128", true],
  ["http://u:p%20w@p.example:3128/", true],
  ["", false],
  ["http://", false],
  ["socks5://p.example", false],
  ["http://p.example/path", false],
  ["http://p.example?x", false],
  ["http://u:50%@p.example", false],
  ["http://p.example:99999", false],
])("'%s' is a valid proxy URL: %s", (text, good) => {
  expect(problemOfProxy(text) === null).toBe(good);
  expect(problemOfProxy(text) ?? "").not.toContain("50%");
});

test("a proxy is shown without its password", () => {
  expect(shownProxy("http://me:secret@p.example:3128")).toBe("http://p.example:3128");
  expect(shownProxy("me:secret@p.example:3128")).toBe("http://p.example:3128");
});

const answer = '{"success":true,"data":{"status":"UP"}}';

const respond: RequestListener = (_, response) => void response.end(answer);
const plainServer = () => listen(createServer(respond));
const tlsServer = (name: CertificateName) =>
  listen(createTlsServer(certificatePair(name), respond));

function connected(options: Partial<HttpTransportOptions> & { url: string }) {
  const client = createClient(httpTransport({ userAgent: "test/1", ...options }));
  onTestFinished(() => client.close());
  return client;
}

describe("through a proxy", () => {
  test("to http://, and only the proxy gets its user name and password", async () => {
    const proxy = await startProxy(await plainServer());
    const named = proxy.url.replace("http://", "http://me:pass%20word@");
    const client = connected({ url: "http://agents.example", proxy: named });
    expect(await client.call("system.health")).toEqual({ status: "UP" });
    expect(proxy.asked).toEqual(["GET http://agents.example/api/system/health"]);
    expect(proxy.users).toEqual(["me:pass word"]);
  });

  test("to https://, the certificate is checked against the server's name", async () => {
    const proxy = await startProxy(await tlsServer("elsewhere"));
    const call = (url: string, more: Partial<HttpTransportOptions> = {}) =>
      connected({ url, ca, proxy: proxy.url, ...more }).call("system.health");
    expect(await call("https://elsewhere.example")).toEqual({ status: "UP" });
    expect(proxy.asked).toEqual(["CONNECT elsewhere.example:443"]);
    await expect(call("https://other.example:8443")).rejects.toThrow(
      /^cannot reach .*\(the server's certificate is for another name, through the proxy http:/,
    );
    const untrusted = call("https://elsewhere.example", { ca: undefined });
    await expect(untrusted).rejects.toBeInstanceOf(Untrusted);
  });

  test("an unverified server is accepted only on request", async () => {
    const port = await tlsServer("self-signed");
    const proxy = await startProxy(port);
    const urls = [`https://127.0.0.1:${port}`, "https://agents.example"];
    for (const [url, way] of [
      [urls[0]!, {}],
      [urls[1]!, { proxy: proxy.url }],
    ] as const) {
      const loose = connected({ url, ...way, insecureSkipTlsVerify: true });
      expect(await loose.call("system.health")).toEqual({ status: "UP" });
      const strict = connected({ url, ...way, insecureSkipTlsVerify: false });
      await expect(strict.call("system.health")).rejects.toBeInstanceOf(Untrusted);
    }
  });

  const rejected = /the proxy http:\S+ rejected the user name or password \(407\)\)$/;

  test.each([
    ["http://agents.example", 407, rejected],
    ["https://agents.example", 407, rejected],
    ["http://agents.example", 502, /responded with 502, but the response is not from this API/],
    ["https://agents.example", 502, /the proxy http:\S+ responded with 502\)$/],
    ["https://agents.example", 403, /the proxy http:\S+ responded with 403\)$/],
  ])("that refuses calls to %s with %i", async (url, status, says) => {
    const proxy = await startProxy(1);
    proxy.refuses = status;
    const named = proxy.url.replace("http://", "http://me:secret@");
    const error = await connected({ url, proxy: named })
      .call("system.health")
      .catch((thrown: Error) => thrown);
    expect((error as Error).message).toMatch(says);
    expect((error as Error).message).not.toMatch(/secret|me@/);
  });

  test.each(["http://agents.example", "https://agents.example"])(
    "that does not exist, for %s",
    async (url) => {
      const call = connected({ url, proxy: "http://me:secret@127.0.0.1:1" }).call("system.health");
      await expect(call).rejects.toThrow(
        `cannot reach ${url} (connection refused, through the proxy http://127.0.0.1:1)`,
      );
    },
  );

  test("that hangs, and a signal ends the call", async () => {
    const proxy = await startProxy(1);
    proxy.refuses = 0;
    const leaving = new AbortController();
    const client = connected({ url: "https://agents.example", proxy: proxy.url });
    const call = client.call("system.health", {}, { signal: leaving.signal });
    const reason = new Error("enough");
    await vi.waitFor(() => expect(proxy.asked).toHaveLength(1), 60_000);
    leaving.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  test("the live stream works too, and its failures are reported", async () => {
    const app = await listenTestApp({ ALLOWED_HOSTS: "agents.example" });
    const key = await app.apiKey();
    const proxy = await startProxy(app.port);
    const options = { url: "http://agents.example", bearer: key, proxy: proxy.url };
    const stream = await connected(options).watch();
    await app.as("owner").call("registration-tokens.create", { body: {} });
    for await (const message of stream) {
      expect(message.type).toBe("audit");
      break;
    }
    expect(proxy.asked).toEqual(["CONNECT agents.example:80"]);
    proxy.refuses = 407;
    await expect(connected(options).watch()).rejects.toThrow(/rejected the user name or password/);
  });
});
