// Plans and conditions with a sidecar in its own process.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { listenTestApp } from "../../helpers/http/http.ts";
import { agentFile, startSidecar } from "../../helpers/process/sidecar.ts";

const sh = (script: string) => ({ exec: { command: ["/bin/sh", "-c", script] } });

test("the sidecar runs an action only in the state that was planned", async () => {
  const server = await listenTestApp();
  const operator = server.as("operator");
  const actions = [
    { name: "drop", prepare: sh("cat disk.json"), execute: sh("echo ran >>runs") },
    { name: "named", prepare: sh("cat named"), execute: sh("echo ran >>runs") },
  ];
  const services = [{ code: "disk", version: "1", actions }];
  const file = await agentFile(server, operator, { services });
  const at = (name: string) => join(dirname(file), name);
  const runs = () => (existsSync(at("runs")) ? readFileSync(at("runs"), "utf8").length / 4 : 0);
  writeFileSync(at("disk.json"), '{ "files": 3 }');
  await startSidecar(file).said("the agent is running");
  const serviceId = (await operator.page("services.list", {})).data[0]!.id;

  const planFor = async (actionName: string) => {
    const params = { serviceId, actionName };
    const { command, canPlan } = await operator.call("actions.prepare", { params });
    expect(canPlan).toBe(true);
    const body = { prepareCommandId: command!.id };
    return operator.call("plans.create", { params, body });
  };
  const apply = async (plan: object) => {
    const { command } = await operator.call("plans.apply", { body: { plan: plan as never } });
    const params = { commandId: command!.id };
    return operator.call("commands.get", { params, query: { wait: 20 } });
  };

  const [first, second, third] = [
    await planFor("drop"),
    await planFor("drop"),
    await planFor("drop"),
  ];
  expect(await apply(first)).toMatchObject({ status: "SUCCEEDED" });
  // The same state in another form is the same state.
  writeFileSync(at("disk.json"), '{"files":3.0}\n');
  expect(await apply(second)).toMatchObject({ status: "SUCCEEDED" });
  writeFileSync(at("disk.json"), '{ "files": 4 }');
  expect(await apply(third)).toMatchObject({
    status: "FAILED",
    errorCode: "STATE_CHANGED",
    result: { error: { details: { preparedState: { files: 3 }, currentState: { files: 4 } } } },
  });
  expect(runs()).toBe(2);

  // A program's own fingerprint leaves out what always changes.
  writeFileSync(at("named"), '{ "currentState": { "uptime": 1 }, "stateFingerprint": "v1" }');
  const [named, broken] = [await planFor("named"), await planFor("named")];
  writeFileSync(at("named"), '{ "currentState": { "uptime": 2 }, "stateFingerprint": "v1" }');
  expect(await apply(named)).toMatchObject({ status: "SUCCEEDED" });
  writeFileSync(at("named"), '{ "currentState": ');
  expect(await apply(broken)).toMatchObject({ errorCode: "STATE_NOT_CHECKED" });
  expect(runs()).toBe(3);
});
