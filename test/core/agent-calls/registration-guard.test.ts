// How often a caller may try to register, and what is checked before the body is read.

import { expect } from "vitest";
import { mintToken } from "../../../src/domain/access/credentials.ts";
import { registrationFailuresPerMinute } from "../../../src/domain/limits.ts";
import { type TestApp, testCall } from "../../helpers/app.ts";
import { checkAnswer } from "../../helpers/contract.ts";
import { test } from "../scene.ts";

const agent = { code: "agent-1", mode: "sidecar" };

async function register(
  { app }: TestApp,
  token: string | null,
  { body = { agent }, ip = "192.0.2.1" }: { body?: object; ip?: string } = {},
): Promise<string> {
  const sent = token === null ? body : { ...body, registrationToken: token };
  const answer = await app.dispatch({ ...testCall, route: "agent.register", body: sent, ip });
  checkAnswer("agent.register", answer.status, answer.body);
  const { error } = answer.body as { error?: { code: string } };
  return error?.code ?? "OK";
}

async function freshToken(test: TestApp): Promise<string> {
  return (await test.as("operator").call("registration-tokens.create", { body: {} })).token;
}

const times = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));

function counted(codes: string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const code of codes) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

test("of 240 concurrent guesses, no more are checked than in sequence", async ({ app: test }) => {
  const { fillRandom } = test.app.core;
  const guesses = times(240, () => register(test, mintToken("registration", fillRandom)));
  expect(counted(await Promise.all(guesses))).toEqual({
    REGISTRATION_TOKEN_INVALID: registrationFailuresPerMinute,
    RATE_LIMITED: 240 - registrationFailuresPerMinute,
  });
  const token = await freshToken(test);
  expect(await register(test, token)).toBe("RATE_LIMITED");
  expect(await register(test, token, { ip: "192.0.2.2" })).toBe("OK");
  const { limits } = await test.as("viewer").call("diagnostics.get");
  expect(limits.reached.failedRegistrations).toBeGreaterThanOrEqual(180);
});

test("many concurrent valid registrations do not count as failures", async ({ app: test }) => {
  const tokens = await Promise.all(times(100, () => freshToken(test)));
  const codes = tokens.map((token, n) =>
    register(test, token, { body: { agent: { ...agent, code: `agent-${n}` } } }),
  );
  expect(counted(await Promise.all(codes))).toEqual({ OK: 100 });
});

test.for([
  { name: "no token", token: null },
  { name: "a token with a wrong checksum", token: "platform_reg_x" },
])(
  "with $name, the body is not checked and the call counts as a failure",
  async ({ token }, { app: test }) => {
    const codes: string[] = [];
    for (let n = 0; n < registrationFailuresPerMinute + 1; n++) {
      codes.push(await register(test, token, { body: { agent: 5 } }));
    }
    expect(counted(codes)).toEqual({
      REGISTRATION_TOKEN_INVALID: registrationFailuresPerMinute,
      RATE_LIMITED: 1,
    });
  },
);

test("repeated invalid bodies limit only the token that they came with", async ({ app: test }) => {
  const token = await freshToken(test);
  const codes: string[] = [];
  for (let n = 0; n < registrationFailuresPerMinute + 1; n++) {
    codes.push(await register(test, token, { body: { agent: { code: "a b" } } }));
  }
  expect(counted(codes)).toEqual({
    VALIDATION_FAILED: registrationFailuresPerMinute,
    RATE_LIMITED: 1,
  });
  expect(await register(test, await freshToken(test))).toBe("OK");
  test.clock.advance(60_000);
  expect(await register(test, token, { body: { agent: { ...agent, code: "b" } } })).toBe("OK");
});
