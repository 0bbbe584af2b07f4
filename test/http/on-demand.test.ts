// The routes as a command loads them, one noun at a time, are those that a server has from its start.

import { expect, test } from "vitest";
import { type RouteName, routes } from "../../src/api/index.ts";
import { RequestTimes } from "../../src/http/metrics/request-times.ts";
import { everyEndpoint } from "../../src/http/routes/index.ts";
import { endpointsOnDemand } from "../../src/http/routes/on-demand.ts";

const names = Object.keys(routes) as RouteName[];
/** Bound to the times of requests: made anew each time. */
const madeAnew = (name: RouteName) => name.startsWith("metrics.");

test.each(names)("%s", async (name) => {
  const times = new RequestTimes();
  const ofServer = everyEndpoint(times)(name);
  const { spec, handler } = await endpointsOnDemand(times)(name);
  expect(ofServer).toMatchObject({ spec: routes[name], handler: expect.any(Function) });
  expect(spec).toBe(routes[name]);
  expect(handler).toEqual(madeAnew(name) ? expect.any(Function) : (await ofServer).handler);
});

test("a server waits for none of them; a noun is loaded once", async () => {
  const times = new RequestTimes();
  expect(everyEndpoint(times)("agents.list")).not.toBeInstanceOf(Promise);
  const onDemand = endpointsOnDemand(times);
  expect(await onDemand("metrics.get")).toBe(await onDemand("metrics.get"));
});
