// Tests a Python client with types that quicktype generates from openapi.json.

import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InputData, JSONSchemaInput, quicktype } from "quicktype-core";
import { expect, test } from "vitest";
import { openApiFile } from "../../../scripts/write-openapi.ts";
import { temporaryFolder } from "../../helpers/app.ts";
import { listenTestApp } from "../../helpers/http/http.ts";
import { startCommand } from "../../helpers/process/process.ts";

const text = readFileSync(openApiFile, "utf8");
const example = join(import.meta.dirname, "../../../docs/examples/python-client.py");
const types = await generatedTypes();
const python = join(import.meta.dirname, "../../helpers/programs/python-program.ts");

/** Returns what the command in docs/guides/generate-a-client.md writes to its file. */
async function generatedTypes(): Promise<string> {
  const input = new JSONSchemaInput(undefined);
  await input.addSource({ name: "openapi.json", uris: ["#/components/schemas/"], schema: text });
  const inputData = new InputData();
  inputData.addInput(input);
  return (await quicktype({ inputData, lang: "python" })).lines.join("\n");
}

test("every object and enumeration of the document becomes a class of its name", async () => {
  const { schemas } = JSON.parse(text).components;
  const named = Object.keys(schemas).filter((name) => {
    const { properties, additionalProperties, enum: values } = schemas[name];
    return values || (properties && Object.keys(properties).length > 0 && !additionalProperties);
  });
  expect(named.length).toBeGreaterThan(200);
  const classes = types.matchAll(/^class (\w+)/gm);
  const found = new Set([...classes].map(([, name = ""]) => name.toLowerCase()));
  expect(named.filter((name) => !found.has(name.toLowerCase()))).toEqual([]);
});

test("the example imports classes that are generated", () => {
  const [, names = ""] =
    /^from platform_api import \((.*?)\)/ms.exec(readFileSync(example, "utf8")) ?? [];
  const imported = names.match(/\w+/g) ?? [];
  expect(imported.length).toBeGreaterThan(0);
  for (const name of imported) expect(types).toContain(`\nclass ${name}:`);
});

// Python, which is compiled to WebAssembly, takes seconds to start.
test("the example lists agents, creates registration tokens and reads an error", async () => {
  const { url, as, apiKey, registerAgent } = await listenTestApp();
  await registerAgent("web-1");
  const key = await apiKey("operator");
  const folder = temporaryFolder();
  copyFileSync(example, join(folder, "python-client.py"));
  writeFileSync(join(folder, "platform_api.py"), types);
  // This is the only part of the package python-dateutil that the generated code uses.
  mkdirSync(join(folder, "dateutil"));
  const parser = "from datetime import datetime\nparse = datetime.fromisoformat\n";
  writeFileSync(join(folder, "dateutil/parser.py"), parser);

  const words = [process.execPath, python, folder, "python-client.py", "edge-7", "not a code"];
  const env = { PLATFORM_URL: url, PLATFORM_API_KEY: key };
  const run = startCommand(words, { cwd: folder, env, group: true });
  const { status, stdout, stderr } = await run.ended;

  expect(stderr).toMatch(/^VALIDATION_FAILED: .+\n$/);
  expect(stdout).toMatch(/^web-1 ONLINE\nedge-7 platform_reg_\w+\n$/);
  expect(status).toBe(1);
  const [token] = await as("operator").call("registration-tokens.list", {
    query: { pageSize: 1 },
  });
  expect(token).toMatchObject({ agentCode: "edge-7", status: "ACTIVE" });
});
