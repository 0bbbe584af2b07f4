// The command line takes its proxy from the usual variables (test/client/proxy.test.ts).

import { expect, test } from "vitest";
import { listenTestApp } from "../../helpers/http/http.ts";
import { startProxy } from "../../helpers/http/proxy.ts";
import { cli } from "../world.ts";

test("platformctl uses the proxy except for hosts in NO_PROXY, and explains its errors without the password", async () => {
  const proxy = await startProxy((await listenTestApp({ ALLOWED_HOSTS: "agents.invalid" })).port);
  const url = "http://agents.invalid";
  const HTTP_PROXY = proxy.url.replace("http://", "http://me:secret@");
  const health = (wholeEnv: Record<string, string>) =>
    cli(["health", "--server", url], { io: { wholeEnv } });

  expect(await health({ HTTP_PROXY })).toMatchObject({ status: 0 });
  expect(proxy.asked).toEqual([`GET ${url}/api/system/health`]);
  expect(proxy.users).toEqual(["me:secret"]);
  expect(await health({ HTTP_PROXY, NO_PROXY: ".invalid" })).toMatchObject({ status: 6 });
  expect(proxy.asked).toHaveLength(1);

  proxy.refuses = 407;
  expect(await health({ HTTP_PROXY })).toMatchObject({
    status: 6,
    stderr:
      `platformctl: cannot reach ${url} (the proxy ${proxy.url} rejected the user name or password ` +
      "(407)): set the right proxy in HTTPS_PROXY, or the server in NO_PROXY.\n",
  });
  expect(await health({ HTTP_PROXY: "socks5://me:secret@p.example" })).toMatchObject({
    status: 2,
    stderr:
      "platformctl: HTTP_PROXY: the proxy must be a URL like http://proxy.example.com:3128.\n",
  });
});
