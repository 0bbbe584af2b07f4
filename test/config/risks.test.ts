import { expect, test } from "vitest";
import { loadConfig } from "../../src/config/config.ts";
import { risksOf } from "../../src/config/risks.ts";

const tls = { TLS_CERT_FILE: "a", TLS_KEY_FILE: "b" };
const open = { HOST: "0.0.0.0" };
const proxied = { ...open, PUBLIC_URL: "https://agents.example.com" };

test.each<[env: Record<string, string>, risks: RegExp[]]>([
  [{}, []],
  [{ TRUST_PROXY: "true" }, []],
  [{ HOST: "::1" }, []],
  [open, [/unencrypted/]],
  [{ ...open, ...tls }, []],
  [{ ...open, ...tls, TRUST_PROXY: "true" }, [/X-Forwarded/]],
  [{ ...open, TRUST_PROXY: "true" }, [/X-Forwarded/, /unencrypted/]],
  [proxied, [/unencrypted/]],
  [{ ...proxied, TRUST_PROXY: "10.0.0.2" }, []],
  [{ ...proxied, TRUST_PROXY: "10.0.0.2", PUBLIC_URL: "http://x.example" }, [/unencrypted/]],
])("%o", (env, risks) => {
  const found = risksOf(loadConfig(env, "0.0.0"));
  expect(found).toHaveLength(risks.length);
  for (const [index, risk] of risks.entries()) expect(found[index]).toMatch(risk);
});
