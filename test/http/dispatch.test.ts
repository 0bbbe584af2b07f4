// The door itself: whatever goes wrong behind it, a call is answered.

import { expect, test } from "vitest";
import { presentCaller } from "../../src/core/caller.ts";
import { type Call, createDispatch, type Endpoints } from "../../src/http/dispatch.ts";
import { openTestApp } from "../helpers/app.ts";

const call: Call = {
  route: "agents.list",
  params: {},
  query: {},
  body: undefined,
  principal: { kind: "anonymous" },
  bearer: null,
  secure: false,
  isOwnUrl: () => false,
  requestId: "req-1",
  ip: null,
  userAgent: null,
  caller: presentCaller,
};

const gone = new Error("the file is gone");

test.each<[string, Endpoints]>([
  ["cannot be loaded", () => Promise.reject(gone)],
  [
    "is not there",
    () => {
      throw gone;
    },
  ],
])("a route that %s is a failure of ours: answered, and in the log", async (_what, endpoints) => {
  const { core } = openTestApp().app;
  const logged: unknown[] = [];
  core.log.error = (...words: unknown[]) => void logged.push(...words);
  const answer = await createDispatch(core, endpoints)(call);
  expect(answer).toMatchObject({
    status: 500,
    body: { success: false, error: { code: "INTERNAL_ERROR", requestId: "req-1" } },
  });
  expect(logged).toEqual([
    { requestId: "req-1", route: "agents.list", err: gone },
    "request failed",
  ]);
});
