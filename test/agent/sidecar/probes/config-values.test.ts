import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { configEntriesOf } from "../../../../src/agent/sidecar/probes/config-values.ts";
import { ValueFile } from "../../../../src/agent/sidecar/probes/value-file.ts";
import { bodyLimitBytes } from "../../../../src/domain/limits.ts";
import { temporaryFolder } from "../../../helpers/app.ts";
import { serviceConfig } from "../configs.ts";

const env = { PORT: "8080", EMPTY: "", KEY: "s3cret-env", DB_PASSWORD: "s3cret" };

/** Returns what is reported for an agent.yaml whose `configs` has this one entry. */
async function told(folder: string, written: object) {
  const { configs } = serviceConfig({ configs: [{ key: "a", ...written }] });
  const [entry] = await configEntriesOf(configs, { folder, env })();
  return entry!;
}

test("values and their types are reported from each source", async () => {
  const folder = temporaryFolder();
  const files: Record<string, string> = {
    "app.json":
      '\ufeff{"db":{"host":"db1","port":5432,"on":true,"tags":["a"],"none":null,"a/b":1}}',
    "app.yaml": "base: &base {x: 1}\ndb:\n  <<: *base\n  host: db2 # here\n  when: 2026-01-02\n",
    "app.yml": "list: [1, 2]\n",
    "app.conf": '{"port": 1}',
    "app.cfg": "port: 2\n",
    motd: "hello\nworld\n\n",
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const file = (path: string, pointer?: string) => ({ file: { path, pointer } });
  const table: [written: object, type: string, value: unknown, source: string][] = [
    [{ value: 5 }, "number", 5, "agent.yaml"],
    [{ value: null }, "null", null, "agent.yaml"],
    [{ value: "x", type: "url" }, "url", "x", "agent.yaml"],
    [{ env: "PORT" }, "string", "8080", "env PORT"],
    [{ env: "EMPTY" }, "string", "", "env EMPTY"],
    [file("app.json", "/db/host"), "string", "db1", "app.json#/db/host"],
    [file("app.json", "/db/port"), "number", 5432, "app.json#/db/port"],
    [file("app.json", "/db/on"), "boolean", true, "app.json#/db/on"],
    [file("app.json", "/db/tags"), "array", ["a"], "app.json#/db/tags"],
    [file("app.json", "/db/a~1b"), "number", 1, "app.json#/db/a~1b"],
    [file("app.yaml", "/db"), "object", { x: 1, host: "db2", when: "2026-01-02" }, "app.yaml#/db"],
    [file("app.yml", "/list/1"), "number", 2, "app.yml#/list/1"],
    [file("app.conf", "/port"), "number", 1, "app.conf#/port"],
    [file("app.cfg", "/port"), "number", 2, "app.cfg#/port"],
    [file("motd"), "string", "hello\nworld", "motd"],
  ];
  for (const [written, type, value, source] of table) {
    const from = "file" in written ? `file ${join(folder, source)}` : source;
    expect(await told(folder, written), from).toEqual({
      key: "a",
      type,
      source: from,
      editable: false,
      sensitive: false,
      valuePreview: value,
    });
  }
});

test("an unreadable source has no value, and the reason is reported without quoting its content", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "broken.json"), '{"password": s3cret}');
  writeFileSync(join(folder, "broken.yaml"), 'a: 1\npassword: "s3cret\n');
  writeFileSync(join(folder, "bomb.yaml"), bomb());
  writeFileSync(join(folder, "two.yaml"), "a: 1\n---\na: 2\n");
  writeFileSync(join(folder, "ok.yaml"), "a: 1\n");
  writeFileSync(join(folder, "huge.json"), JSON.stringify({ a: "x".repeat(1024 * 1024) }));
  writeFileSync(join(folder, "deep.json"), `${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  writeFileSync(join(folder, "large.yaml"), `#${"x".repeat(65_530)}\na: 1\n`);
  writeFileSync(join(folder, "large.conf"), `#${"x".repeat(65_530)}\na: 1\n`);
  mkdirSync(join(folder, "folder"));
  spawnSync("mkfifo", [join(folder, "pipe")]);
  const table: [path: string, why: string][] = [
    ["gone.json", "no such file"],
    ["ok.yaml/gone", "no such file"],
    ["folder", "it is not a regular file"],
    ["pipe", "it is not a regular file"],
    ["broken.json", "it is not JSON"],
    ["broken.yaml", "it is not YAML: line "],
    ["two.yaml", "it is not YAML: line 2"],
    ["bomb.yaml", "it is not YAML: its aliases cannot be resolved"],
    ["huge.json", "it is larger than 1.0 MiB"],
    ["deep.json", "it has no such value"],
    ["large.yaml", "it is larger than 64.0 KiB, the limit for YAML"],
    ["large.conf", "it is larger than 64.0 KiB, the limit for YAML"],
  ];
  for (const [path, why] of table) {
    const pointer = path === "deep.json" ? "/a" : "/password";
    const entry = await told(folder, { file: { path, pointer } });
    expect(entry.source, path).toContain(`${path}#${pointer}: ${why}`);
    expect(entry).toMatchObject({ type: "unknown" });
    expect(entry).not.toHaveProperty("valuePreview");
    expect(JSON.stringify(entry)).not.toContain("s3cret");
  }
  expect(await told(folder, { env: "GONE", type: "port" })).toMatchObject({
    type: "port",
    source: "env GONE: it is not set",
  });
  const long = `${"folder/".repeat(60)}gone.yaml`;
  const { source } = await told(folder, { file: { path: long, pointer: "/a/b" } });
  expect(source!.length).toBeLessThanOrEqual(200);
  expect(source).toMatch(/^file ….*folder\/gone\.yaml#\/a\/b: no such file$/);
});

/** A few lines of YAML that would expand to gigabytes. */
function bomb(): string {
  let text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n";
  for (let depth = 1; depth < 10; depth++) {
    const items = Array.from({ length: 9 }, () => `*a${depth - 1}`).join(", ");
    text += `a${depth}: &a${depth} [${items}]\n`;
  }
  return text;
}

test("a long value has a preview that is short enough for a report", async () => {
  const folder = temporaryFolder();
  const nested = (levels: number) => `${"[".repeat(levels)}1${"]".repeat(levels)}`;
  writeFileSync(join(folder, "long.txt"), "ä".repeat(5000));
  writeFileSync(join(folder, "log.txt"), "x".repeat(3 * 1024 * 1024));
  writeFileSync(join(folder, "deep.json"), `{"ok":${nested(20)},"deep":${nested(21)}}`);
  writeFileSync(join(folder, "deepest.json"), `{"deepest":${nested(100_000)}}`);
  writeFileSync(join(folder, "own.json"), '{"a":{"__proto__":{"x":1}}}');
  const preview = async (path: string, pointer = "") =>
    (await told(folder, { file: { path, pointer } })).valuePreview;
  const long = (await preview("long.txt")) as string;
  expect(long).toMatch(/^ä+… \(cut\)$/);
  expect(long).toHaveLength(1024);
  expect(await preview("log.txt")).toMatch(/^x+… \(cut\)$/);
  expect(await preview("deep.json", "/ok")).toEqual(JSON.parse(nested(20)));
  expect(await preview("deep.json", "/deep")).toBe(nested(21));
  expect(await preview("own.json", "/a")).toEqual({});
  const { source } = await told(folder, { file: { path: "deepest.json", pointer: "/deepest" } });
  expect(source).toContain("deepest.json#/deepest: ");
  const items = Array.from({ length: 1000 }, (_, index) => index);
  const { type, valuePreview } = await told(folder, { value: items });
  expect(type).toBe("array");
  expect(valuePreview).toMatch(/^\[0,1,2,.*… \(cut\)$/);
});

test("YAML is read up to its size limit, and JSON up to a much larger limit", async () => {
  const folder = temporaryFolder();
  const yaml = `a: 1\n#${"x".repeat(65_530)}`;
  expect(yaml).toHaveLength(64 * 1024);
  writeFileSync(join(folder, "large.yaml"), yaml);
  // Repeated keys are accepted, because finding them among many keys takes too long.
  writeFileSync(join(folder, "twice.yaml"), "a: 0\na: 1\n");
  writeFileSync(join(folder, "large.json"), JSON.stringify({ a: 1, b: "x".repeat(1_000_000) }));
  for (const path of ["large.yaml", "twice.yaml", "large.json"]) {
    const entry = await told(folder, { file: { path, pointer: "/a" } });
    expect(entry, path).toMatchObject({ valuePreview: 1 });
  }
});

test("the total size of a service's values is limited, and only the first ones are reported", async () => {
  // As JSON, each value takes six times as many bytes, plus two.
  const value = "\u0001".repeat(1024);
  const entries = Array.from({ length: 60 }, (_, index) => ({ key: `key-${index}`, value }));
  const { configs } = serviceConfig({ configs: [...entries, { key: "last", value: 7 }] });
  const read = configEntriesOf(configs, { folder: "/", env });
  for (let report = 1; report <= 2; report++) {
    const all = await read();
    const left = all.filter((entry) => !("valuePreview" in entry));
    expect(left.map(({ key }) => key)).toEqual(entries.slice(42).map(({ key }) => key));
    const source = "agent.yaml: omitted, because the values exceed 256.0 KiB";
    expect(left[0]).toMatchObject({ type: "unknown", source });
    expect(all.at(-1)).toMatchObject({ key: "last", valuePreview: 7 });
  }
});

test("the values of all services together fit into a report", async () => {
  const entries = Array.from({ length: 250 }, (_, index) => ({
    key: `key-${index}`,
    value: "x".repeat(1024),
  }));
  const { configs } = serviceConfig({ configs: entries });
  const codes = Array.from({ length: 5 }, (_, index) => `service-${index}`);
  const services = codes.map(async (code) => {
    const read = configEntriesOf(configs, { folder: "/", env }, () => codes.length);
    return { code, name: code, version: "1", configs: await read() };
  });
  const report = JSON.stringify({ services: await Promise.all(services) });
  expect(Buffer.byteLength(report)).toBeLessThan(bodyLimitBytes.report);
  expect(report.split('"valuePreview"')).toHaveLength(5 * 153 + 1);
  expect(report).toContain("agent.yaml: omitted, because the values exceed 153.6 KiB");
});

test("a value is secret because of its key, variable, pointer or file name", async () => {
  const folder = temporaryFolder();
  const db = { password: "s3cret", host: "db1" };
  writeFileSync(join(folder, "app.json"), JSON.stringify({ db, tokens: { a: "s3cret" } }));
  writeFileSync(join(folder, "password"), "s3cret\n");
  writeFileSync(join(folder, "tokens.yaml"), "port: 1\n");
  const file = (path: string, pointer?: string) => ({ file: { path, pointer } });
  const table: [written: object, value: unknown][] = [
    [{ key: "token", value: "s3cret" }, "[REDACTED]"],
    [{ env: "DB_PASSWORD" }, "[REDACTED]"],
    [{ env: "PORT" }, "8080"],
    [file("app.json", "/db/password"), "[REDACTED]"],
    [file("app.json", "/tokens/a"), "[REDACTED]"],
    [file("app.json", "/db/host"), "db1"],
    [file("app.json", "/db"), { host: "db1", password: "[REDACTED]" }],
    [file("password"), "[REDACTED]"],
    [file("tokens.yaml", "/port"), 1],
  ];
  for (const [written, value] of table) {
    expect((await told(folder, written)).valuePreview, JSON.stringify(written)).toEqual(value);
  }
});

test("secrets are hidden in a whole JSON or YAML file, and other files are reported unchanged", async () => {
  const folder = temporaryFolder();
  const text = '{ "port": 80, "db": { "password": "hunter2" } }';
  for (const name of ["app.json", "app.yml", "app.conf"]) writeFileSync(join(folder, name), text);
  writeFileSync(join(folder, "broken.json"), `${text},`);
  const tellFile = async (path: string) => (await told(folder, { file: { path } })).valuePreview;
  const withoutSecret = { port: 80, db: { password: "[REDACTED]" } };
  expect(await tellFile("app.json")).toEqual(withoutSecret);
  expect(await tellFile("app.yml")).toEqual(withoutSecret);
  expect(await tellFile("app.conf")).toBe(text);
  expect(await tellFile("broken.json")).toBeUndefined();
});

test("files are read again for each report, but only once for several entries", async () => {
  const folder = temporaryFolder();
  const file = join(folder, "app.yaml");
  const { configs } = serviceConfig({
    configs: [
      { key: "a", file: { path: "app.yaml", pointer: "/a" } },
      { key: "b", file: { path: "app.yaml", pointer: "/b" } },
    ],
  });
  const entries = configEntriesOf(configs, { folder, env });
  const values = async () => (await entries()).map(({ valuePreview }) => valuePreview);
  for (const [text, expected] of [
    ["a: 1\nb: 2\n", [1, 2]],
    ["a: 1\nb: 2\n", [1, 2]],
    ["a: 1\nb: 3\n", [1, 3]],
    ["a: [1\n", [undefined, undefined]],
    ["a: 4\nb: 5\n", [4, 5]],
  ] as const) {
    writeFileSync(file, text);
    expect(await values(), text).toEqual(expected);
  }
});

test("a file whose content has not changed is not parsed again", async () => {
  const path = join(temporaryFolder(), "app.yaml");
  writeFileSync(path, "a: [1]\n");
  const file = new ValueFile(path, false);
  const first = await file.at("/a");
  writeFileSync(path, "a: [1]\n");
  expect(await file.at("/a")).toBe(first);
  writeFileSync(path, "a: [2]\n");
  expect(await file.at("/a")).toEqual([2]);
});

test("a sensitive value is never read, and no secret is reported", async () => {
  const folder = temporaryFolder();
  writeFileSync(
    join(folder, "app.yaml"),
    "db: {host: db1, password: s3cret-yaml}\nnext: s3cret-y2\n",
  );
  writeFileSync(join(folder, "key"), "s3cret-file\n");
  const { configs } = serviceConfig({
    configs: [
      { key: "literal", sensitive: true, value: "s3cret-literal", secretRef: "vault:shop/1" },
      { key: "variable", sensitive: true, env: "KEY", type: "key" },
      { key: "file", sensitive: true, file: { path: "key" } },
      { key: "pipe", sensitive: true, file: { path: "pipe", pointer: "/a" } },
      { key: "db", file: { path: "app.yaml", pointer: "/db" } },
      { key: "api_token", env: "KEY" },
    ],
  });
  const read: string[] = [];
  const watched = new Proxy<Record<string, string>>(env, {
    get: (target, name: string) => {
      read.push(name);
      return target[name];
    },
  });
  const shown = await configEntriesOf(configs, { folder, env: watched })();
  expect(read).toEqual(["KEY"]);
  const common = { editable: false, sensitive: true };
  expect(shown).toEqual([
    { ...common, key: "literal", type: "secret", source: "agent.yaml", secretRef: "vault:shop/1" },
    { ...common, key: "variable", type: "key", source: "env KEY" },
    { ...common, key: "file", type: "secret", source: `file ${join(folder, "key")}` },
    { ...common, key: "pipe", type: "secret", source: `file ${join(folder, "pipe")}#/a` },
    {
      ...common,
      sensitive: false,
      key: "db",
      type: "object",
      source: `file ${join(folder, "app.yaml")}#/db`,
      valuePreview: { host: "db1", password: "[REDACTED]" },
    },
    {
      ...common,
      sensitive: false,
      key: "api_token",
      type: "string",
      source: "env KEY",
      valuePreview: "[REDACTED]",
    },
  ]);
});
