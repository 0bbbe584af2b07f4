// Tests the command line with a proxy from the environment variables.

import { expect, test } from "vitest";
import { caFile, certificateFiles } from "../helpers/http/https.ts";
import { startProxy } from "../helpers/http/proxy.ts";
import { platformctl, startServer } from "../helpers/process/process.ts";

test("platformctl uses HTTPS_PROXY except for hosts in NO_PROXY, and explains errors of the proxy", async () => {
  const { certFile, keyFile } = certificateFiles("elsewhere");
  const server = await startServer({
    env: {
      PLATFORM_TLS_CERT_FILE: certFile,
      PLATFORM_TLS_KEY_FILE: keyFile,
      PLATFORM_ALLOWED_HOSTS: "elsewhere.example",
    },
  });
  const proxy = await startProxy(Number(new URL(server.url).port));
  const url = "https://elsewhere.example";
  const withPassword = proxy.url.replace("http://", "http://me:secret@");
  const health = (env: Record<string, string>, ...words: string[]) =>
    platformctl(["health", "--server", url, "--ca-file", caFile, ...words], { env });

  expect(await health({ HTTPS_PROXY: withPassword })).toMatchObject({ status: 0 });
  expect(proxy.asked).toEqual(["CONNECT elsewhere.example:443"]);
  expect(proxy.users).toEqual(["me:secret"]);

  const straight = await health({ HTTPS_PROXY: withPassword, NO_PROXY: ".example" });
  expect(straight).toMatchObject({ status: 6 });
  expect(proxy.asked).toHaveLength(1);

  proxy.refuses = 407;
  const refused = await health({ https_proxy: withPassword }, "--debug");
  expect(refused.status).toBe(6);
  expect(refused.stderr).toContain(
    `platformctl: cannot reach ${url} (the proxy ${proxy.url} rejected the user name or password ` +
      "(407)): set the right proxy in HTTPS_PROXY, or the server in NO_PROXY.\n",
  );
  expect(refused.stderr).not.toContain("secret");

  const wrong = await health({ HTTPS_PROXY: "socks5://me:secret@p.example" });
  expect(wrong).toMatchObject({
    status: 2,
    stderr:
      "platformctl: HTTPS_PROXY: the proxy must be a URL like http://proxy.example.com:3128.\n",
  });
});
