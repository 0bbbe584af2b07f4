import { expect, test } from "vitest";
import { createDispatch } from "../../src/http/dispatch.ts";
import type { Endpoints } from "../../src/http/endpoints/index.ts";
import { openTestApp, testCall } from "../helpers/app.ts";

const gone = new Error("the file is gone");

test.each<[string, Endpoints]>([
  ["cannot be loaded", () => Promise.reject(gone)],
  [
    "is missing",
    () => {
      throw gone;
    },
  ],
])(
  "a request to a route that %s gets an internal error, which is logged",
  async (_what, endpoints) => {
    const { core } = openTestApp().app;
    const logged: unknown[] = [];
    core.log.error = (...words: unknown[]) => void logged.push(...words);
    const answer = await createDispatch(core, endpoints)({ ...testCall, route: "agents.list" });
    expect(answer).toMatchObject({
      status: 500,
      body: { success: false, error: { code: "INTERNAL_ERROR", requestId: "req_test" } },
    });
    expect(logged).toEqual([
      { requestId: "req_test", route: "agents.list", err: gone },
      "request failed",
    ]);
  },
);
