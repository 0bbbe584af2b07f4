// Selectors in the lists of agents, services and commands, compared with domain/fleet/selectors.ts.

import fc from "fast-check";
import { expect, test } from "vitest";
import { type Labels, labelsOfAgent, labelsOfService } from "../../../src/domain/fleet/labels.ts";
import {
  formatSelector,
  isSelected,
  type Requirement,
} from "../../../src/domain/fleet/selectors.ts";
import { openTestApp } from "../../helpers/app.ts";
import { size } from "../../helpers/size.ts";
import { outcome } from "../refusals.ts";
import { registering } from "../registering.ts";
import { openScene } from "../scene.ts";

interface Labelled {
  labels: Labels;
  assigned: Labels;
}
const none: Labelled = { labels: {}, assigned: {} };

const word = fc.constantFrom("a", "b", "");
const key = fc.constantFrom("site", "tier", "canary");
const labels = fc.dictionary(key, word, { maxKeys: 3 });

const requirement: fc.Arbitrary<Requirement> = fc.oneof(
  fc.record({
    key,
    operator: fc.constantFrom("in" as const, "notIn" as const),
    values: fc.uniqueArray(word, { minLength: 1 }),
  }),
  fc.record({
    key,
    operator: fc.constantFrom("exists" as const, "missing" as const),
    values: fc.constant([]),
  }),
);

test.for([
  ["without names that agents cannot report", []],
  ["with them", ["tier"]],
] as const)("lists find objects by their effective labels, %s", async ([_, operatorLabels]) => {
  const app = openTestApp();
  const { invite, register } = registering(app);
  const owner = app.as("owner");
  await owner.call("settings.update", { body: { operatorLabels: [...operatorLabels] } });
  const agents: Record<string, Labels> = {};
  const services: Record<string, Labels> = {};
  const both = fc.record({ labels, assigned: labels });
  const fleet = fc.sample(fc.tuple(both, fc.array(both, { maxLength: 3 })), {
    numRuns: size(8, 20),
    seed: 1,
  });
  const of = (own: Labelled, agent = none) => {
    return {
      ...{ labels: own.labels, assignedLabels: own.assigned, operatorLabels },
      ...{ agentLabels: agent.labels, agentAssignedLabels: agent.assigned },
    };
  };
  for (const [at, [own, ofServices]] of fleet.entries()) {
    const code = `agent-${at}`;
    agents[code] = labelsOfAgent(of(own));
    const reported = ofServices.map((each, n) => {
      services[`${code}-${n}`] = labelsOfService(of(each, own));
      return { code: `${code}-${n}`, name: "A service", version: "1", labels: each.labels };
    });
    const { agentId } = await register(
      await invite(),
      { code, labels: own.labels },
      { services: reported },
    );
    await owner.call("agents.label", { params: { agentId }, body: { labels: own.assigned } });
    const detail = await owner.call("agents.get", { params: { agentId } });
    for (const [n, each] of ofServices.entries()) {
      const serviceId = detail.services.find((one) => one.code === `${code}-${n}`)!.id;
      await owner.call("services.label", {
        params: { serviceId },
        body: { labels: each.assigned },
      });
    }
  }
  const api = app.as("viewer");
  const query = { pageSize: 200 };
  const expected = (things: typeof agents, selector: Requirement[]) =>
    Object.keys(things).filter((code) => isSelected(selector, things[code] ?? {}));
  await fc.assert(
    fc.asyncProperty(fc.array(requirement, { maxLength: 3 }), async (requirements) => {
      const selector = formatSelector(requirements);
      const foundAgents = await api.call("agents.list", { query: { ...query, selector } });
      const foundServices = await api.call("services.list", { query: { ...query, selector } });
      const codes = (found: { code: string }[]) => found.map(({ code }) => code).sort();
      expect(codes(foundAgents)).toEqual(expected(agents, requirements).sort());
      expect(codes(foundServices)).toEqual(expected(services, requirements).sort());
    }),
    { numRuns: size(25, 200) },
  );
  const shown = await api.call("services.list", { query });
  expect(Object.fromEntries(shown.map(({ code, labels }) => [code, labels]))).toEqual(services);
});

test("a report changes a service's labels, and commands are found by the present ones", async () => {
  const app = await openScene();
  const service = { code: "log-collector", name: "Log collector", version: "1.0.0" };
  const actions = [{ name: "rotate" }];
  await app.report([{ ...service, actions, labels: { tier: "web" } }]);
  const commandId = await app.execute();
  const commandsWith = async (selector: string) => {
    const found = await app.as("viewer").call("commands.list", { query: { selector } });
    return found.map(({ id }) => id);
  };
  expect(await commandsWith("tier=web")).toEqual([commandId]);
  expect(await commandsWith("tier!=web")).toEqual([]);
  await app.report([{ ...service, actions, labels: { tier: "api" } }]);
  expect(await commandsWith("tier=web")).toEqual([]);
  expect(await commandsWith("tier=api,!site")).toEqual([commandId]);
  await app.report([{ ...service, actions }]);
  expect((await app.service()).labels).toEqual({});
  expect(await commandsWith("!tier")).toEqual([commandId]);
});

test("services are found by an action that they declare", async () => {
  const scene = await openScene();
  const codes = async (action: string) => {
    const found = await scene.as("viewer").call("services.list", { query: { action } });
    return found.map(({ code }) => code);
  };
  expect(await codes("rotate")).toEqual(["log-collector"]);
  expect(await codes("rot")).toEqual([]);
});

test("an invalid selector is refused with what is wrong", async () => {
  const api = openTestApp().as("viewer");
  const refused = outcome(api.call("agents.list", { query: { selector: "region in eu" } }));
  expect(await refused).toBe("VALIDATION_FAILED");
  await expect(api.call("services.list", { query: { selector: "a=b,," } })).rejects.toThrow(
    'selector: needs the key of a label before ","',
  );
});
