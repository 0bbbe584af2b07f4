import { describe, expect, test } from "vitest";
import { LimitWatch } from "../../../src/core/limits/limit-watch.ts";
import { bodyLimitBytes } from "../../../src/domain/limits.ts";
import { connectionLimits, type ListenerLimits } from "../../../src/http/connections/limits.ts";
import { PendingBodies } from "../../../src/http/connections/pending-bytes.ts";
import { listenTestApp } from "../../helpers/http/http.ts";

const MiB = 1024 * 1024;

function bodiesOf(maxPendingBodyBytes: number): PendingBodies {
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const watch = new LimitWatch(
    () => log,
    () => 0,
  );
  const largestBodyBytes = Math.max(...Object.values(bodyLimitBytes));
  const limits = { maxPendingBodyBytes, largestBodyBytes };
  return new PendingBodies(limits as ListenerLimits, watch);
}

describe("pending bodies", () => {
  test.each([1, 4, 64])(
    "with %d MiB, the largest registration is accepted if it is alone",
    (mebibytes) => {
      const bodies = bodiesOf(mebibytes * MiB);
      const body = bodies.open(null, "192.0.2.1");
      expect(() => body.expect(bodyLimitBytes.register)).not.toThrow();
      body.release();
      expect(bodies.usage.used).toBe(0);
    },
  );

  test("callers without a credential can use a quarter of the limit", () => {
    const bodies = bodiesOf(4 * MiB);
    for (const n of [1, 2]) bodies.open(null, `192.0.2.${n}`).expect(bodyLimitBytes.register);
    expect(() => bodies.open(null, "192.0.2.3").expect(5000)).toThrow(/Too many large requests/);
    bodies.open("agent", null).expect(bodyLimitBytes.report);
    expect(bodies.usage).toEqual({ used: 2 * MiB, allowed: 4 * MiB });
  });

  test.for<[path: string, limit: number, role: "operator" | null, accepted: number]>([
    ["/api/agents/register", bodyLimitBytes.register, null, 401],
    ["/api/admin/plans/apply", bodyLimitBytes.plan, "operator", 422],
  ])(
    "over HTTP with the smallest setting, only the limit of %s applies",
    async ([path, limit, role, accepted]) => {
      const app = await listenTestApp({ MAX_PENDING_BODY_BYTES: "4194304" });
      const caller = role === null ? {} : { bearer: await app.apiKey(role) };
      const statusFor = async (bytes: number) => {
        const body = `{"a":"${"x".repeat(bytes - 8)}"}`;
        return (await app.request("POST", path, { ...caller, body })).status;
      };
      expect(await statusFor(limit)).toBe(accepted);
      expect(await statusFor(limit + 1)).toBe(413);
    },
  );
});

describe("connections", () => {
  const unset = { maxConnections: null, maxConnectionsPerAddress: null };

  test.each<[name: string, set: number | null, descriptors: number | null, limits: object]>([
    ["no system limit", null, null, { most: 20_000, mostPerAddress: 18_000, isCut: false }],
    ["a million descriptors", null, 1_048_576, { most: 20_000, isCut: false }],
    ["few descriptors", null, 300, { most: 204, mostPerAddress: 184, isCut: false }],
    ["hardly any descriptors", null, 64, { most: 16, isCut: false }],
    ["more than the default", 100_000, 1_048_576, { most: 100_000, isCut: false }],
    ["more than the descriptors allow", 1000, 300, { most: 204, isCut: true }],
    ["fewer than the descriptors allow", 100, 300, { most: 100, mostPerAddress: 90, isCut: false }],
  ])("%s", (_, maxConnections, descriptors, limits) => {
    expect(connectionLimits({ ...unset, maxConnections }, descriptors)).toMatchObject(limits);
  });

  test("the limit for one address can be set", () => {
    const set = { ...unset, maxConnectionsPerAddress: 7 };
    expect(connectionLimits(set, 300).mostPerAddress).toBe(7);
  });
});
