// All mistakes in agent.yaml are reported together, each with its line.

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type BadConfigFile,
  parseConfig,
  readConfigFile,
} from "../../../../src/agent/sidecar/config/config-file.ts";
import { temporaryFolder } from "../../../helpers/app.ts";

const good = `server: https://agents.example.com
agent:
  code: edge-7
stateDir: state
services:
  - code: web
    version: "1"
`;

function told(text: string): string[] {
  try {
    parseConfig("agent.yaml", text);
    return [];
  } catch (error) {
    return (error as BadConfigFile).problems.map((one) => one.replace("agent.yaml:", "").trim());
  }
}

test("times are converted to milliseconds, and missing fields get their defaults", () => {
  const text = `${good}    health: { tcp: { port: 80 }, interval: 1m30s, timeout: 0.5 }
    actions:
      - { name: reload, timeout: 2s, execute: { exec: { command: [nginx, -s, reload] } } }
`;
  expect(parseConfig("agent.yaml", text)).toMatchObject({
    registrationToken: { env: "PLATFORM_REGISTRATION_TOKEN" },
    agent: { code: "edge-7", mode: "sidecar" },
    insecureSkipTlsVerify: false,
    services: [
      {
        health: {
          tcp: { host: "127.0.0.1", port: 80 },
          intervalMs: 90_000,
          timeoutMs: 500,
          failureThreshold: 3,
        },
        actions: [{ name: "reload", timeoutSeconds: 2 }],
      },
    ],
  });
});

// The text after `#!` is the problem of its line, or of the previous line if `#!` begins the line.
// `…` means any text.
test.each<[string, string]>([
  ["a list", "- server: x #! must be a mapping of fields to values"],
  ["a key twice", `${good}server: x #! the key server occurs twice: first in line 1`],
  [
    "a password",
    good.replace("agents.example.com", "me:pw@x #! server: must not contain a user name, ? or #"),
  ],
  [
    "top-level fields",
    `server: agents.example.com #! server: must be a URL like https://agents.example.com
servces: [] #! servces: unknown field; did you mean services?
proxy: ftp://x #! proxy: must be a URL like http://proxy.example.com:3128
registrationToken: { evn: TOKEN }
    #! registrationToken: must be text, { env: NAME } or { file: PATH }
agent:
  code: #! agent.code: is empty: set a value or remove the field
  mode: Side
    #! agent.mode: must start with a lowercase letter, and use only lowercase letters, digits, _ and -
  labels: { site: 7, "": x }
    #! agent.labels.site: must be text; put it in quotes: "7"
    #! agent.labels.: the name "" must be at least 1 characters long
  xyzzy: 1 #! agent.xyzzy: unknown field; known fields: code, name, mode, version, labels
stateDir: state
concurrency: 65 #! concurrency: must be at most 64
services: [] #! services: must have at least one service
`,
  ],
  [
    "secrets",
    `${good}    health:
      http:
        url: http://127.0.0.1
        headers:
          a: { env: A, file: a } #! services.0.health.http.headers.a: must be text, { env: NAME } or { file: PATH }
          c: { file: "" } #! services.0.health.http.headers.c.file: must not be empty
`,
  ],
  [
    "a caFile that is never used",
    `${good}caFile: ca.pem
insecureSkipTlsVerify: true
    #! insecureSkipTlsVerify: makes caFile useless: set only one of them`,
  ],
  [
    "versions and the bus",
    `${good}    bus: { url: none, intervall: 1s }
        #! services.0.bus.url: must be a URL like http://127.0.0.1:8080/health
        #! services.0.bus.intervall: unknown field; did you mean interval?
  - code: no-version #! services.1.version: is missing
  - code: number
    version: 1.10
        #! services.2.version: must be text, or a mapping with exec or http; put it in quotes: "1.10"
  - { code: of-nobody, version: { interval: 1s } }
        #! services.3.version: must have one of exec, http
  - { code: wrong-inside, version: { exec: { command: [], cdw: /tmp }, pattern: "(" } }
        #! services.4.version.exec.command: must list a program and its arguments
        #! services.4.version.exec.cdw: unknown field; did you mean cwd?
        #! services.4.version.pattern: must be a regular expression: …: Unterminated group
`,
  ],
  [
    "probes",
    `${good}    health:
      htp: { url: http://127.0.0.1 } #! services.0.health.htp: unknown field; did you mean http?
      interval: 1h1x
          #! services.0.health.interval: must be a time such as 10s, 1m30s or 0.5 (seconds), more than 0 and at most 1d
  - code: db
    version: "1"
    health:
      tcp: { port: 99999 } #! services.1.health.tcp.port: must be at most 65535
      exec: { command: [true] }
          #! services.1.health.exec.command.0: must be text; put it in quotes: "true"
      timeout: 0
          #! services.1.health.timeout: must be a time such as 10s, 1m30s or 0.5 (seconds), more than 0 and at most 1d
      failureThreshold: 1.5 #! services.1.health.failureThreshold: must be a whole number
  - code: db #! services.2.code: db is used twice
    version: "1"
    health: {} #! services.2.health: must have one of http, tcp, exec
  - code: mq
    version: "1"
    health: { http: { url: "http://127.0.0.1", status: 700, pointer: status, headers: { a: 1 } } }
        #! services.3.health.http.headers.a: must be text, { env: NAME } or { file: PATH }; put it in quotes: "1"
        #! services.3.health.http.status: must be at most 599
        #! services.3.health.http.pointer: must be a JSON Pointer such as /status
`,
  ],
  [
    "configurations",
    `${good}    configs:
      - { key: a, value: 1, env: A } #! services.0.configs.0: must have only one of value, env
      - { key: a }
          #! services.0.configs.1: must have one of value, env, file
          #! services.0.configs.1.key: a is used twice
      - { key: b, value: null, sensitive: maybe }
          #! services.0.configs.2.sensitive: must be true or false
      - key: c #! services.0.configs.3: must have one of value, env, file
`,
  ],
  [
    "actions",
    `${good}    actions:
      - name: no blanks
          #! services.0.actions.0.name: must start with a letter or digit and contain only letters, digits and . _ : -
        dangerLevel: high #! services.0.actions.0.dangerLevel: must be one of LOW, MEDIUM, HIGH
        execute: { exec: { command: nginx } }
            #! services.0.actions.0.execute.exec.command: must be a list
      - name: twin
        timeout: soon
            #! services.0.actions.1.timeout: must be a time such as 10s, 1m30s or 0.5 (seconds), more than 0 and at most 1d
        execute: {} #! services.0.actions.1.execute: must have one of exec, http
      - name: twin #! services.0.actions.2.name: twin is used twice
        execute: { http: { url: "http://127.0.0.1", method: BREW } }
            #! services.0.actions.2.execute.http.method: must be one of GET, POST, PUT, PATCH, DELETE
        prepare: [x] #! services.0.actions.2.prepare: must be a mapping of fields to values
      - execute: { exec: { command: [x] }, http: { url: "http://127.0.0.1" } }
          #! services.0.actions.3.name: is missing
          #! services.0.actions.3.execute: must have only one of exec, http
      - { name: parts, timeout: 0.5, execute: { exec: { command: [x] } } }
          #! services.0.actions.4.timeout: must be whole seconds, such as 10s or 1m30s
      - { name: lists, category: "", order: first, hidden: 1, execute: { exec: { command: [x] } } }
          #! services.0.actions.5.category: …
          #! services.0.actions.5.order: …
          #! services.0.actions.5.hidden: …
`,
  ],
  [
    "schemas of payloads",
    `${good}    actions:
      - name: a
        execute: { exec: { command: [x] } }
        inputSchema:
          type: objekt
              #! services.0.actions.0.inputSchema.type: must be object, because payloads are objects
              #! services.0.actions.0.inputSchema.type: must be one of string, number, integer, boolean, object, array, null
          required: file #! services.0.actions.0.inputSchema.required: must be a list of names
          properties:
            file: { type: text, pattern: "(" }
                #! services.0.actions.0.inputSchema.properties.file.type: must be one of string, number, integer, boolean, object, array, null
                #! services.0.actions.0.inputSchema.properties.file.pattern: must be a regular expression
            size: { enum: [1, 2], enumLabels: [One], placeholder: 1 }
                #! services.0.actions.0.inputSchema.properties.size.enumLabels: must have a text for each value of enum, in the same order
                #! services.0.actions.0.inputSchema.properties.size.placeholder: must be text
            fine: { enum: [1, 2], enumLabels: [One, Two], placeholder: One }
      - name: c
        execute: { exec: { command: [x] } }
        inputSchema: { properties: [file] }
            #! services.0.actions.1.inputSchema.properties: must map names to schemas
      - name: d
        execute: { exec: { command: [x] } }
        inputSchema: { $ref: "https://example.com/schema.json" }
            #! services.0.actions.2.inputSchema: the action's schema cannot be used: …
`,
  ],
  [
    "placeholders",
    `${good}    actions:
      - name: a
        inputSchema: { properties: { file: { type: string } } }
        execute:
          exec:
            command: [cat, "\${payload.fiel}", "\${payload.file}", "\${payload..}"]
                #! services.0.actions.0.execute.exec.command.1: the inputSchema has no field fiel
                #! …command.3: a placeholder must look like …
            env: { FILE: "\${payload.path}" }
                #! services.0.actions.0.execute.exec.env.FILE: the inputSchema has no field path
        prepare: { exec: { command: [ls, "\${payload.file}"] } }
            #! services.0.actions.0.prepare.exec.command.1: prepare has no payload
`,
  ],
])("mistakes are reported with their lines: %s", (_what, text) => {
  const lines: string[] = [];
  const expected: unknown[] = [];
  for (const line of text.split("\n")) {
    const [written = "", why] = line.split("#! ");
    if (!why || written.trim() !== "") lines.push(written);
    if (!why) continue;
    const pattern = `${lines.length}: ${why}`.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    expected.push(expect.stringMatching(new RegExp(`^${pattern.replaceAll("…", "[^]*")}$`)));
  }
  expect(told(lines.join("\n"))).toEqual(expected);
});

const nested = (levels: number): object => (levels === 0 ? {} : { items: nested(levels - 1) });
const manyFields = Object.fromEntries(Array.from({ length: 800 }, (_, at) => [`f${at}`, {}]));

test.each<[what: string, inputSchema: object, actions: number, problem: string]>([
  ["too long", { description: "x".repeat(60_000) }, 20, "it is larger than 1.0 MiB"],
  ["in too many parts", { properties: manyFields }, 50, "more than 65536 objects, arrays and keys"],
  ["nested too deeply", nested(30), 1, "nested deeper than 32 levels"],
])("a report that would be %s is a mistake", (_what, inputSchema, actions, problem) => {
  const schemas = [`&schema ${JSON.stringify(inputSchema)}`, ...Array(actions - 1).fill("*schema")];
  const rows = schemas.map(
    (schema, at) =>
      `      - { name: a${at}, execute: { exec: { command: [x] } }, inputSchema: ${schema} }\n`,
  );
  expect(told(`${good}    actions:\n${rows.join("")}`)).toEqual([
    expect.stringMatching(`^5: services: the server would refuse their report: .*${problem}`),
  ]);
});

test("a text that is not a mapping or not YAML is reported", () => {
  expect(told("# nothing\n")).toEqual(
    ["server", "agent", "stateDir", "services"].map((field) => `${field}: is missing`),
  );
  expect(told("server: [\n")).toEqual([
    "2: flow sequence in block collection must be sufficiently indented and end with a ]",
  ]);
});

test("a file that cannot be read is reported with instructions", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "a"));
  const missing = join(folder, "agent.yaml");
  await expect(readConfigFile(missing, {})).rejects.toThrow(
    `${missing} cannot be read: no such file; create one with \`platform agent init > agent.yaml\``,
  );
  await expect(readConfigFile(join(folder, "a"), {})).rejects.toThrow("it is a folder");
});

test("text that only looks like a placeholder causes a warning, unless a shell reads it", async () => {
  const file = join(temporaryFolder(), "agent.yaml");
  writeFileSync(
    file,
    `${good}    health: { http: { url: "http://127.0.0.1/\${PATH}" } }
    actions:
      - name: deploy
        inputSchema: { properties: { to: { type: string, default: "\${HOME}" } }, required: [to] }
        execute:
          exec:
            command: [deploy, "\${VERSION}", "\${payload.to}", "$\${TWICE}", "{plain}", "$ONE"]
            env: { WHERE: "\${HOME}/x", FINE: "\${payload.to}" }
      - name: shell
        execute: { exec: { command: [sh, -c, "echo \${HOME}"] } }
`,
    { mode: 0o600 },
  );
  const { warnings } = await readConfigFile(file, {});
  const what = `is passed on unchanged: only \${payload.field} is replaced`;
  expect(warnings).toEqual([
    `${file}:8: services.0.health.http.url: \${PATH} ${what}`,
    `${file}:14: services.0.actions.0.execute.exec.command.1: \${VERSION} ${what}` +
      "; passEnv gives a program the agent's variables",
    `${file}:15: services.0.actions.0.execute.exec.env.WHERE: \${HOME} ${what}`,
  ]);
});

test("a secret in a file that others can read causes a warning without the secret", async () => {
  const file = join(temporaryFolder(), "agent.yaml");
  const headers = `{ Authorization: Bearer abc, X-Api-Key: { env: KEY }, Accept: text/plain }`;
  const health = `    health: { http: { url: "http://127.0.0.1", headers: ${headers} } }\n`;
  writeFileSync(file, `${good}${health}registrationToken: platform_reg_abc\n`);
  chmodSync(file, 0o644);
  const { warnings, origin } = await readConfigFile(file, { A: "b" });
  const what =
    "is a secret in a file that other users can read: run chmod 600, or use { env: … } or { file: … }";
  expect(warnings).toEqual([
    `${file}:8: services.0.health.http.headers.Authorization: ${what}`,
    `${file}:9: registrationToken: ${what}`,
  ]);
  expect(origin).toEqual({ folder: join(file, ".."), env: { A: "b" } });
  chmodSync(file, 0o600);
  expect((await readConfigFile(file, {})).warnings).toEqual([]);
});
