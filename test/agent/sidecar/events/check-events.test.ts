import { expect, test } from "vitest";
import { serviceChecks } from "../../../../src/agent/sidecar/checks/service-checks.ts";
import { parseConfig } from "../../../../src/agent/sidecar/config/config-file.ts";
import { type EventsService, serveEvents, someEvents } from "../events-service.ts";

const never = new AbortController().signal;

async function check(url: string) {
  const text = `
server: http://127.0.0.1:8080
agent: { code: edge-1 }
stateDir: state
services: [{ code: shop, version: "1", bus: { url: "${url}?key=secret" } }]
`;
  const [service] = parseConfig("agent.yaml", text).services;
  const checks = serviceChecks(service!, { folder: "/", env: {} });
  return checks.find(({ what }) => what === "bus")!.run(never);
}

test.each<[string, string, (service: EventsService) => void]>([
  ["no events yet", "no events yet", () => undefined],
  ["events", "has events", (service) => service.events.push(...someEvents(3))],
])("a service with %s passes the check", async (_, result, prepare) => {
  const service = await serveEvents();
  prepare(service);
  expect(await check(service.url)).toEqual({ state: "OK", result });
  expect(service.asked.map(String)).toEqual(["key=secret&limit=1"]);
});

test.each<[string, string, string]>([
  ["something other than events", "{}", "did not return"],
  ["too much data", `["${"x".repeat(5_000_000)}"]`, "returned more than 4 MiB"],
])(
  "a service that returns %s fails the check with the reason, and no secret is shown",
  async (_, body, reason) => {
    const service = await serveEvents();
    service.answer = (response) => response.end(body);
    const failure = await check(service.url).catch((error: Error) => error.message);
    expect(failure).toContain(reason);
    expect(failure).not.toContain("secret");
  },
);
