// Tests docs/examples/library-agent.mjs in a project that has the package installed.

import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { listenTestApp } from "../../helpers/http/http.ts";
import { bin } from "../../helpers/process/installed.ts";
import { startCommand, until } from "../../helpers/process/process.ts";

const examples = join(import.meta.dirname, "../../../docs/examples");
const program = "library-agent.mjs";

test("the example agent registers, runs its action and publishes its event", {
  timeout: 90_000,
}, async () => {
  const server = await listenTestApp();
  const operator = server.as("operator");
  const { token } = await operator.call("registration-tokens.create", { body: {} });
  const folder = temporaryFolder();
  copyFileSync(join(examples, program), join(folder, program));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(dirname(bin), join(folder, "node_modules/platform"));
  const env = { PLATFORM_URL: server.url, PLATFORM_REGISTRATION_TOKEN: token };
  const agent = startCommand([process.execPath, program], { cwd: folder, env });
  const [notes] = await until(
    "the agent has reported",
    async () => {
      if (!agent.running()) throw new Error(agent.stderr());
      const { data } = await operator.page("services.list");
      return data.length > 0 && data;
    },
    60_000,
  );
  expect(notes).toMatchObject({ code: "notes", status: "HEALTHY" });

  const params = { serviceId: notes!.id, actionName: "add-note" };
  const add = async (payload: Record<string, string>) => {
    const { command } = await operator.call("actions.execute", { params, body: { payload } });
    const query = { wait: 30 };
    return operator.call("commands.get", { params: { commandId: command.id }, query });
  };
  const note = { title: "milk", text: "Buy some." };
  expect(await add(note)).toMatchObject({ result: { output: { file: "milk.txt" } } });
  expect(readFileSync(join(folder, "notes/milk.txt"), "utf8")).toBe("Buy some.\n");
  expect(await add(note)).toMatchObject({ status: "FAILED", errorCode: "NOTE_EXISTS" });
  await expect(add({ title: "../milk", text: "x" })).rejects.toMatchObject({
    code: "PAYLOAD_INVALID",
  });
  expect(await operator.call("actions.prepare", { params })).toMatchObject({
    currentState: { notes: ["milk.txt"] },
  });

  agent.signal("SIGTERM");
  const { status, stderr } = await agent.ended;
  expect(status).toBe(0);
  expect(stderr).toContain(" info: Registered as notes-host (agt_");
  expect(stderr).toContain(" info: a note was added");
  expect(stderr).not.toContain(token);
});
