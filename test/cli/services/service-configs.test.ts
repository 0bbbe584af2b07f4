// The configuration of a service in `services get`.

import { expect, test } from "vitest";
import { openWorld } from "../world.ts";

test("`services get` prints values, missing values and sensitive values", async () => {
  const world = await openWorld();
  const entry = (key: string, more: object) => ({ key, type: "string", source: "env A", ...more });
  const configs = [
    entry("value", { valuePreview: "x" }),
    // In agents' reports, null is the same as no field.
    entry("empty", { valuePreview: null }),
    entry("absent", { source: "env A: it is not set\u001b[31m" }),
    { key: "bare", type: "string" },
    entry("secret", { sensitive: true }),
  ];
  await world.registerAgent("edge-9", [{ code: "shop", name: "Shop", version: "1", configs }]);
  const { stdout } = await world.run("--server", ["services", "get", "shop"]);
  expect(stdout.slice(stdout.indexOf("configs\n")).split("\n").slice(0, 7)).toEqual([
    "configs",
    "  KEY     VALUE",
    '  value   "x"',
    "  empty   (no value; env A)",
    "  absent  (no value; env A: it is not set\\u001b[31m)",
    "  bare    (no value; no source)",
    "  secret  (sensitive)",
  ]);
});
