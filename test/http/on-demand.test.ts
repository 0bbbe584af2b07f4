import { expect, test } from "vitest";
import { type RouteName, routes } from "../../src/api/index.ts";
import { loadEveryEndpoint } from "../../src/http/endpoints/index.ts";
import { endpointsOnDemand } from "../../src/http/endpoints/on-demand.ts";

const everyEndpoint = await loadEveryEndpoint();
const names = Object.keys(routes) as RouteName[];

test.each(names)("%s", async (name) => {
  const ofServer = everyEndpoint(name);
  expect(ofServer).toEqual({ spec: routes[name], handler: expect.any(Function) });
  expect(await endpointsOnDemand(name)).toEqual(ofServer);
});
