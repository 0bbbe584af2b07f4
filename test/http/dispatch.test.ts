import { expect, test } from "vitest";
import { createDispatch } from "../../src/http/dispatch.ts";
import { openTestApp, testCall } from "../helpers/app.ts";

const gone = new Error("the file is gone");

test("a request to a route that cannot be loaded gets an internal error, which is logged", async () => {
  const { core } = openTestApp().app;
  const logged: unknown[] = [];
  core.log.error = (...words: unknown[]) => void logged.push(...words);
  const dispatch = createDispatch(core, () => Promise.reject(gone));
  expect(await dispatch({ ...testCall, route: "agents.list" })).toMatchObject({
    status: 500,
    body: { success: false, error: { code: "INTERNAL_ERROR", requestId: "req_test" } },
  });
  expect(logged).toEqual([
    { requestId: "req_test", route: "agents.list", err: gone },
    "request failed",
  ]);
});
