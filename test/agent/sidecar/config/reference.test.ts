// docs/sidecar.md, `platform agent explain` and the man page have the same words about each field.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { z } from "zod";
import { sidecarConfig } from "../../../../src/agent/sidecar/config/config.ts";
import { everyField } from "../../../../src/agent/sidecar/config/config-fields.ts";
import { parseConfig } from "../../../../src/agent/sidecar/config/config-file.ts";
import { fieldWords } from "../../../../src/agent/sidecar/config/field-words.ts";
import {
  defaultOf as defaultIn,
  exampleOf,
  plainPath,
  reference,
  wordsOf,
} from "../../../../src/agent/sidecar/config/reference.ts";
import { formatDuration } from "../../../../src/lib/duration.ts";

const manual = readFileSync(join(import.meta.dirname, "../../../../docs/sidecar.md"), "utf8");
type Schema = z.core.JSONSchema.JSONSchema;

/** Sections that explain the subfields of a field with another name. */
const sections: Record<string, string> = { registrationToken: "secrets", file: "configs" };

/** The schema's defaults: `agent mode` → sidecar, `agent code` → required, other fields → null. */
const wanted = new Map<string, string | null>();
collect(z.toJSONSchema(sidecarConfig, { io: "input", unrepresentable: "any" }), "The file");

test("every field has a row, and every row has a field", () => {
  expect([...rows().keys()].sort()).toEqual([...wanted.keys()].sort());
});

test("defaults match the schema", () => {
  const told = rows();
  for (const [field, byDefault] of wanted) {
    const cell = told.get(field) ?? "";
    const code = /^`([^`]+)`$/.exec(cell)?.[1] ?? null;
    if (byDefault === "required") expect([field, cell]).toEqual([field, "required"]);
    else if (byDefault !== null) expect([field, code]).toEqual([field, byDefault]);
    else expect([field, cell]).not.toEqual([field, "required"]);
  }
});

test("intervals and timeouts match the schema", () => {
  const url = "http://127.0.0.1";
  const service = {
    code: "a",
    version: { http: { url } },
    health: { http: { url } },
    bus: { url },
  };
  const parsed = parseConfig("docs", configOf([service])).services[0]!;
  const told = rows();
  for (const section of ["version", "health", "bus"] as const) {
    const { intervalMs, timeoutMs } = parsed[section] as { intervalMs: number; timeoutMs: number };
    const inWords = [intervalMs, timeoutMs].map((ms) => `\`${formatDuration(ms / 1000)}\``);
    expect([told.get(`${section} interval`), told.get(`${section} timeout`)]).toEqual(inWords);
  }
});

test("the examples are valid", () => {
  const examples = [...manual.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = ""]) => parse(text));
  const service = Object.assign({ code: "web", version: "1" }, ...examples);
  const { exec, ...rest } = service;
  const health = { exec };
  const services = [rest, { code: "db", version: "1", health }];
  expect(parseConfig("docs", configOf(services)).services).toHaveLength(2);
  expect(examples).toHaveLength(4);
});

test("`platform agent explain` explains each field in the manual's words", () => {
  const tables = [...manual.matchAll(/^\| `([\w.]+)` \| (.*?) \| (.*?) \|$/gm)];
  const documented = new Set(
    tables.map(([, field, byDefault, meaning]) => `${field}: ${byDefault}: ${meaning}`),
  );
  const told = everyField().map(({ path, ...field }) => {
    const [meaning, byDefault] = wordsOf(path);
    const [name = "", above] = path.replaceAll("[]", "").split(".").reverse();
    const isHandler = above === "prepare" || above === "execute";
    const row = `${above === "file" ? `file.${name}` : name}: ${defaultIn(field, byDefault)}: ${meaning}`;
    return { path, row, isHandler };
  });
  const strange = told.filter(({ row, isHandler }) => !isHandler && !documented.has(row));
  expect(strange).toEqual([]);
  const used = new Set(told.map(({ row }) => row));
  const unused = Object.values(fieldWords).flatMap((section) =>
    Object.entries(section).filter(([field, words]) => {
      const [meaning] = [words].flat();
      return ![...used].some((row) => row.startsWith(`${field}: `) && row.endsWith(`: ${meaning}`));
    }),
  );
  expect(unused).toEqual([]);
});

test("a field is explained without links, with its type and a valid example", () => {
  const found = (name: string) => reference().find(({ field }) => field === name);
  expect(found("concurrency")).toEqual({
    field: "concurrency",
    type: "whole number from 1 to 64",
    default: "4",
    meaning:
      "how many commands can run at the same time, 1 to 64; those of one service run in order",
  });
  expect(found("services.health.interval")).toMatchObject({ default: "10s" });
  expect(found("services.version")?.meaning).toBe("a string, or how to find it");
  expect(reference().filter(({ meaning }) => /[\]`*]|^$/.test(meaning))).toEqual([]);
  expect(plainPath("services[0].actions.1.name")).toBe("services.actions.name");
  expect(parse(exampleOf("services") ?? "").services).toHaveLength(1);
  expect(parse(exampleOf("services.health.http.equals") ?? "")).toEqual({ equals: "ok" });
  expect(exampleOf("registrationToken.file")).toBeNull();
});

function configOf(services: object[]): string {
  return JSON.stringify({ server: "http://x", agent: { code: "a" }, stateDir: "s", services });
}

/** Maps `section field` to the default in the table. */
function rows(): Map<string, string> {
  const found = new Map<string, string>();
  for (const part of manual.split(/\n##+ /)) {
    const section = part.slice(0, part.indexOf("\n"));
    const table = part.split("| Field | Default | Meaning |\n")[1]?.split("\n\n")[0] ?? "";
    for (const line of table
      .split("\n")
      .slice(1)
      .filter((one) => one !== "")) {
      const [, field = "", byDefault = ""] = line.split(" | ").join("|").split("|");
      found.set(`${section} ${field.replaceAll(/[` ]/g, "")}`, byDefault.trim());
    }
  }
  return found;
}

function collect(schema: unknown, section: string, prefix = ""): void {
  if (typeof schema !== "object" || schema === null) return;
  const { properties = {}, required = [], items, anyOf = [] } = schema as Schema;
  for (const branch of anyOf) collect(branch, section, prefix);
  collect(items, section, prefix);
  for (const [name, inner] of Object.entries(properties)) {
    const isRequired = required.includes(name);
    // exec and http of an action are explained in the rows of `prepare` and `execute`.
    if (section !== "prepare" && section !== "execute") {
      const key = `${section} ${prefix}${name}`;
      const said = isRequired ? "required" : defaultOf(inner as Schema);
      wanted.set(key, wanted.get(key) === "required" ? "required" : said);
    }
    collect(inner, sections[name] ?? name, name === "file" ? "file." : "");
  }
}

function defaultOf({ default: value }: Schema): string | null {
  if (value === undefined || value === "") return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
