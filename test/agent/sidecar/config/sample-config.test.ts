import { expect, test } from "vitest";
import { parse } from "yaml";
import { everyField } from "../../../../src/agent/sidecar/config/config-fields.ts";
import { parseConfig } from "../../../../src/agent/sidecar/config/config-file.ts";
import { sampleConfig, wholeSample } from "../../../../src/agent/sidecar/config/sample-config.ts";

const values = { server: "https://agents.example.com", code: "edge-7", stateDir: "agent-state" };
const sample = sampleConfig(values);
const everything = wholeSample(values);

test("the sample is valid unchanged, with the values of the host", () => {
  expect(parseConfig("agent.yaml", sample)).toMatchObject({
    server: values.server,
    agent: { code: "edge-7" },
    services: [{ code: "edge-7-host" }],
  });
});

test.each(["12", "1e3", "null"])("the code %s of a host stays text", (code) => {
  expect(parseConfig("agent.yaml", sampleConfig({ ...values, code }))).toMatchObject({
    agent: { code },
    services: [{ code: `${code}-host` }],
  });
});

test("the sample is valid with everything uncommented", () => {
  const { services } = parseConfig("agent.yaml", everything);
  expect(services.map(({ code }) => code)).toEqual(["edge-7-host", "web", "db"]);
});

test("the sample shows every field and states each default", () => {
  const shown = new Set(fieldsIn(parse(everything), ""));
  const wanted = new Set(everyField().map(({ path }) => inContext(path)));
  // The default is described in words, because a secret has three possible forms.
  wanted.delete("registrationToken.file");
  wanted.delete("registrationToken.followLinks");
  expect([...wanted].filter((field) => !shown.has(field))).toEqual([]);
});

test("lines of the sample fit a terminal", () => {
  expect(sample.split("\n").filter((line) => line.length > 100 || /\s$/.test(line))).toEqual([]);
});

/** Returns a field with its parent, such as `exec.cwd`, wherever programs are configured. */
function inContext(path: string): string {
  return path.replaceAll("[]", "").split(".").slice(-2).join(".");
}

function fieldsIn(value: unknown, path: string): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => fieldsIn(item, path));
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = path === "" ? name : `${path}.${name}`;
    return [inContext(here), ...fieldsIn(inner, here)];
  });
}
