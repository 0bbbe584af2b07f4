// docs/reference/agent-yaml.md, `platform agent explain` and the man page use the same words for
// each field.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { everyField } from "../../../../src/agent/sidecar/config/config-fields.ts";
import { parseConfig } from "../../../../src/agent/sidecar/config/config-file.ts";
import { fieldWords } from "../../../../src/agent/sidecar/config/field-words.ts";
import {
  defaultOf,
  exampleOf,
  plainPath,
  reference,
  wordsOf,
} from "../../../../src/agent/sidecar/config/reference.ts";
import { formatDuration } from "../../../../src/lib/duration.ts";

const docs = join(import.meta.dirname, "../../../../docs");
const manual = readFileSync(join(docs, "reference/agent-yaml.md"), "utf8");
const guide = readFileSync(join(docs, "guides/sidecar.md"), "utf8");

/** Sections that explain the subfields of a field with another name. */
const sections: Record<string, string> = { registrationToken: "secrets", file: "configs" };

test("`platform agent explain` and the manual explain the same fields in the same words", () => {
  const explained = everyField().flatMap(({ path, ...field }) => {
    const [name = "", above = "The file"] = plainPath(path).split(".").reverse();
    // The manual explains the `exec` and `http` of an action in the rows of `prepare` and
    // `execute`.
    if (above === "prepare" || above === "execute") return [];
    const [meaning, byDefault] = wordsOf(path);
    const shown = above === "file" ? `file.${name}` : name;
    return {
      section: sections[above] ?? above,
      shown,
      byDefault: defaultOf(field, byDefault),
      meaning,
    };
  });
  const inRows = explained.map((one) => Object.values(one).join(" | "));
  expect([...new Set(inRows)].sort()).toEqual(rows().sort());
  const { handler: _, ...documented } = fieldWords;
  const words = Object.entries(documented).flatMap(([section, fields]) =>
    Object.keys(fields).map((field) => `${section} ${field}`),
  );
  const used = new Set(explained.map(({ section, shown }) => `${section} ${shown}`));
  expect(words.filter((word) => !used.has(word))).toEqual([]);
});

test("of the fields that replace each other, one is required", () => {
  const defaults = Object.fromEntries(reference().map((one) => [one.field, one.default]));
  expect(defaults).toMatchObject({
    "registrationToken.env": "required without file",
    "registrationToken.file": "required without env",
    "registrationToken.followLinks": "none",
    "services.health.exec.command": "required",
  });
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
  const told = (section: string, field: string) =>
    rows()
      .find((row) => row.startsWith(`${section} | ${field} | `))
      ?.split(" | ")[2];
  for (const section of ["version", "health", "bus"] as const) {
    const { intervalMs, timeoutMs } = parsed[section] as { intervalMs: number; timeoutMs: number };
    const inWords = [intervalMs, timeoutMs].map((ms) => `\`${formatDuration(ms / 1000)}\``);
    expect([told(section, "interval"), told(section, "timeout")]).toEqual(inWords);
  }
});

const yamlIn = (page: string) =>
  [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = ""]) => text);

test("the example of the guide is a valid file", () => {
  const [whole = "", ...others] = yamlIn(guide);
  expect(others).toEqual([]);
  expect(parseConfig("docs", whole).services).toHaveLength(1);
});

test("the examples are valid", () => {
  const examples = yamlIn(manual).map((text) => parse(text));
  const service = Object.assign({ code: "web", version: "1" }, ...examples);
  const { exec, ...rest } = service;
  const health = { exec };
  const services = [rest, { code: "db", version: "1", health }];
  expect(parseConfig("docs", configOf(services)).services).toHaveLength(2);
  expect(examples).toHaveLength(4);
});

test("a field is explained without links, with its type and a valid example", () => {
  const found = (name: string) => reference().find(({ field }) => field === name);
  expect(found("concurrency")).toEqual({
    field: "concurrency",
    type: "whole number from 1 to 64",
    default: "4",
    meaning:
      "how many commands can run at the same time, 1 to 64; commands of one service run in order",
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

/** Returns the rows of the manual's tables as `section | field | default | meaning`. */
function rows(): string[] {
  return manual.split(/\n##+ /).flatMap((part) => {
    const section = part.slice(0, part.indexOf("\n"));
    const table = part.split("| Field | Default | Meaning |\n")[1]?.split("\n\n")[0] ?? "";
    const found = [...table.matchAll(/^\| `([\w.]+)` \| (.*?) \| (.*?) \|$/gm)];
    return found.map((row) => [section, ...row.slice(1)].join(" | "));
  });
}
