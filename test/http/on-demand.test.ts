import { expect, test } from "vitest";
import { type RouteName, routes } from "../../src/api/index.ts";
import { factsOf } from "../../src/domain/route-facts.ts";
import { endpointsOnDemand, loadEveryEndpoint } from "../../src/http/endpoints/index.ts";

const everyEndpoint = await loadEveryEndpoint();
const names = Object.keys(routes) as RouteName[];
const isWithoutInput = (name: RouteName) =>
  ["params", "query", "body"].every((part) => !(part in routes[name]));

test.each(names.filter((name) => !isWithoutInput(name)))("%s with its schemas", async (route) => {
  const call = { route, params: {}, query: { unknown: "1" } };
  const ofServer = await everyEndpoint(call);
  expect(ofServer).toEqual({ spec: routes[route], handler: expect.any(Function) });
  const onDemand = await endpointsOnDemand(call);
  // Each call makes the handler of an export anew from the handler of the list.
  const handler = "exportOf" in routes[route] ? expect.any(Function) : ofServer.handler;
  expect(onDemand).toEqual({ ...ofServer, handler });
});

test.each([
  { route: "agents.get", params: { agentId: "agt_1" }, query: undefined },
  { route: "agents.list", params: undefined, query: { page: 1, pageSize: 20 } },
  { route: "auth.me", params: undefined, query: undefined },
] as const)("$route with plain input", async ({ route, params, query }) => {
  const call = { route, params: params ?? {}, query: {} };
  const { handler } = await everyEndpoint(call);
  const { params: _, query: __, ...spec } = factsOf(route);
  expect(await endpointsOnDemand(call)).toEqual({ spec, handler, input: { params, query } });
});
