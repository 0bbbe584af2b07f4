// docs/examples/library-agent.mjs does what it is there to show, run as its first lines say, in a project
// that has the package.

import { spawn } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../helpers/app.ts";
import { listenTestApp } from "../../helpers/http/http.ts";
import { bin } from "../../helpers/process/installed.ts";
import { cleanEnv, until } from "../../helpers/process/process.ts";

const examples = join(import.meta.dirname, "../../../docs/examples");
const program = "library-agent.mjs";

test("the example of the library", { timeout: 90_000 }, async () => {
  const server = await listenTestApp();
  const operator = server.as("operator");
  const { token } = await operator.call("registration-tokens.create", { body: {} });
  const folder = temporaryFolder();
  copyFileSync(join(examples, program), join(folder, program));
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(dirname(bin), join(folder, "node_modules/platform"));
  const env = cleanEnv({ PLATFORM_URL: server.url, PLATFORM_REGISTRATION_TOKEN: token });
  const child = spawn(process.execPath, [program], { cwd: folder, env, stdio: "pipe" });
  const gone = new Promise<number | null>((resolve) => child.once("exit", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await gone;
  });
  let said = "";
  child.stderr.on("data", (text) => {
    said += text;
  });

  const [notes] = await until(
    "it reports",
    async () => {
      if (child.exitCode !== null) throw new Error(said);
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

  child.kill("SIGTERM");
  expect(await gone).toBe(0);
  expect(said).toContain(" info: Registered as notes-host (agt_");
  expect(said).toContain(" info: a note was added");
  expect(said).not.toContain(token);
});
