// Prepares the services of a rollout.

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { prepareServices } from "../../../src/cli/commands/rollouts/prepared.ts";
import type { Client } from "../../../src/client/client.ts";
import { AppError } from "../../../src/domain/errors.ts";

test("an error that is not about one service ends all preparations", async () => {
  const services = Array.from({ length: 20 }, (_, at) => ({
    serviceId: `svc_${at}`,
    serviceCode: `web-${at}`,
  }));
  const begun: string[] = [];
  const call = async (_: string, { params }: { params: { serviceId: string } }) => {
    begun.push(params.serviceId);
    if (params.serviceId !== "svc_15") {
      throw new AppError("RATE_LIMITED", "Too many requests.", { retryAfterSeconds: 59 });
    }
    throw new AppError("FORBIDDEN", "The role viewer is not enough.");
  };
  const io = { note: () => undefined, interactive: false };
  const invocation = { io, options: {}, signal: new AbortController().signal } as never;
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;
  const before = timers();
  const preparing = prepareServices(invocation, { call } as unknown as Client, "clean", services);
  await expect(preparing).rejects.toThrow("The role viewer is not enough.");
  expect(begun).toHaveLength(16);
  await nextTurn();
  expect(timers()).toBeLessThan(before + 15);
});
