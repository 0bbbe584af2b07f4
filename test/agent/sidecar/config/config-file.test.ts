// agent.yaml as people get it wrong: each mistake is told with its line, in words that help, all at once.

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

/** What is wrong with a text, without the file's name. */
function told(text: string): string[] {
  try {
    parseConfig("agent.yaml", text);
    return [];
  } catch (error) {
    return (error as BadConfigFile).problems.map((one) => one.replace("agent.yaml:", "").trim());
  }
}

test("times become milliseconds, and what is left out has its default", () => {
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

test.each<[string, string, string[]]>([
  [
    "nothing",
    "# nothing\n",
    ["server: is missing", "agent: is missing", "stateDir: is missing", "services: is missing"],
  ],
  ["a list", "- server: x\n", ["1: must be a mapping of fields to values"]],
  [
    "no YAML",
    "server: [\n",
    ["2: flow sequence in block collection must be sufficiently indented and end with a ]"],
  ],
  ["a key twice", `${good}server: x\n`, ["8: the key server stands there twice: first in line 1"]],
  [
    "a field of no such name",
    `${good}servces: []\n`,
    ["8: servces: unknown field; did you mean services?"],
  ],
  [
    "one that is like no other",
    good.replace("  code: edge-7", "  code: edge-7\n  xyzzy: 1"),
    ["4: agent.xyzzy: unknown field; known fields: code, name, mode, version, labels"],
  ],
  [
    "a missing field",
    good.replace('    version: "1"\n', ""),
    ["6: services.0.version: is missing"],
  ],
  [
    "an empty field",
    good.replace(" edge-7", ""),
    ["3: agent.code: is empty: set a value or remove the field"],
  ],
  [
    "an empty list",
    good.replace(/services:.*/s, "services: []\n"),
    ["5: services: must have at least one service"],
  ],
  [
    "a number for a text",
    good.replace("state\n", "7\n"),
    ['4: stateDir: must be text; put it in quotes: "7"'],
  ],
  [
    "a version that YAML takes for a number",
    good.replace('"1"', "1.10"),
    [
      '7: services.0.version: must be text, or a mapping with exec or http; put it in quotes: "1.10"',
    ],
  ],
  [
    "a version of the wrong kind",
    good.replace('"1"', "[1]"),
    ["7: services.0.version: must be text, or a mapping with exec or http"],
  ],
  [
    "a version that is asked of nobody",
    good.replace('"1"', "{ interval: 1s }"),
    ["7: services.0.version: must have one of exec, http"],
  ],
  [
    "a mistake inside of one of several kinds",
    good.replace('"1"', "{ exec: { command: [], cdw: /tmp }, pattern: '(' }"),
    [
      "7: services.0.version.exec.command: must list a program and its arguments",
      "7: services.0.version.exec.cdw: unknown field; did you mean cwd?",
      "7: services.0.version.pattern: must be a regular expression: Invalid regular expression: /(/u: Unterminated group",
    ],
  ],
  [
    "a secret of no kind",
    `${good}registrationToken: { evn: TOKEN }\n`,
    ["8: registrationToken: must be text, { env: NAME } or { file: PATH }"],
  ],
  [
    "a secret of two kinds",
    `${good}registrationToken: { env: TOKEN, file: token }\n`,
    ["8: registrationToken: must be text, { env: NAME } or { file: PATH }"],
  ],
  [
    "a secret of a kind, wrong inside",
    `${good}registrationToken: { file: 7 }\n`,
    ['8: registrationToken.file: must be text; put it in quotes: "7"'],
  ],
  [
    "a secret's empty file",
    `${good}registrationToken: { file: "" }\n`,
    ["8: registrationToken.file: must not be empty"],
  ],
  [
    "URLs",
    `${good.replace("https://agents", "agents")}proxy: ftp://x\n    `,
    [
      "1: server: must be a URL like https://agents.example.com",
      "8: proxy: must be a URL like http://proxy.example.com:3128",
    ],
  ],
  [
    "a CA that nobody looks at",
    `${good}caFile: ca.pem\ninsecureSkipTlsVerify: true\n`,
    ["9: insecureSkipTlsVerify: makes caFile useless: set only one of them"],
  ],
  [
    "a server with a password",
    good.replace("agents.", "me:secret@agents."),
    ["1: server: must not contain a user, ? or #"],
  ],
  [
    "probes",
    `${good}    health:
      htp: { url: http://127.0.0.1 }
      interval: 1h1x
  - code: db
    version: "1"
    health:
      tcp: { port: 99999 }
      exec: { command: [true] }
      timeout: 0
      failureThreshold: 1.5
  - code: db
    version: "1"
    health: {}
  - code: mq
    version: "1"
    health: { http: { url: "http://127.0.0.1", status: 700, pointer: status, headers: { a: 1 } } }
`,
    [
      "9: services.0.health.htp: unknown field; did you mean http?",
      "10: services.0.health.interval: must be a time such as 10s, 1m30s or 0.5 (seconds), more than 0 and at most 1d",
      "14: services.1.health.tcp.port: must be at most 65535",
      '15: services.1.health.exec.command.0: must be text; put it in quotes: "true"',
      "16: services.1.health.timeout: must be a time such as 10s, 1m30s or 0.5 (seconds), more than 0 and at most 1d",
      "17: services.1.health.failureThreshold: must be a whole number",
      "18: services.2.code: db is used twice",
      "20: services.2.health: must have one of http, tcp, exec",
      '23: services.3.health.http.headers.a: must be text, { env: NAME } or { file: PATH }; put it in quotes: "1"',
      "23: services.3.health.http.status: must be at most 599",
      "23: services.3.health.http.pointer: must be a JSON Pointer such as /status",
    ],
  ],
  [
    "configurations",
    `${good}    configs:
      - { key: a, value: 1, env: A }
      - { key: a }
      - { key: b, value: null, sensitive: maybe }
      - key: c
`,
    [
      "9: services.0.configs.0: must have only one of value, env",
      "10: services.0.configs.1: must have one of value, env, file",
      "10: services.0.configs.1.key: a is used twice",
      "11: services.0.configs.2.sensitive: must be true or false",
      "12: services.0.configs.3: must have one of value, env, file",
    ],
  ],
  [
    "actions",
    `${good}    actions:
      - name: no blanks
        dangerLevel: high
        execute: { exec: { command: nginx } }
      - name: twin
        timeout: soon
        execute: {}
      - name: twin
        execute: { http: { url: "http://127.0.0.1", method: BREW } }
        prepare: [x]
      - execute: { exec: { command: [x] }, http: { url: "http://127.0.0.1" } }
      - { name: parts, timeout: 0.5, execute: { exec: { command: [x] } } }
`,
    [
      "9: services.0.actions.0.name: must start with a letter or digit and contain only letters, digits and . _ : -",
      "10: services.0.actions.0.dangerLevel: must be one of LOW, MEDIUM, HIGH",
      "11: services.0.actions.0.execute.exec.command: must be a list",
      "13: services.0.actions.1.timeout: must be a time such as 10s, 1m30s or 0.5 (seconds), more than 0 and at most 1d",
      "14: services.0.actions.1.execute: must have one of exec, http",
      "15: services.0.actions.2.name: twin is used twice",
      "16: services.0.actions.2.execute.http.method: must be one of GET, POST, PUT, PATCH, DELETE",
      "17: services.0.actions.2.prepare: must be a mapping of fields to values",
      "18: services.0.actions.3.name: is missing",
      "18: services.0.actions.3.execute: must have only one of exec, http",
      "19: services.0.actions.4.timeout: must be whole seconds, such as 10s or 1m30s",
    ],
  ],
  [
    "schemas of payloads",
    `${good}    actions:
      - name: a
        execute: { exec: { command: [x] } }
        inputSchema:
          type: objekt
          required: file
          properties:
            file: { type: text, pattern: "(" }
      - name: b
        execute: { exec: { command: [x] } }
        inputSchema: { type: string }
      - name: c
        execute: { exec: { command: [x] } }
        inputSchema: { properties: [file] }
      - name: d
        execute: { exec: { command: [x] } }
        inputSchema: { $ref: "https://example.com/schema.json" }
`,
    [
      "12: services.0.actions.0.inputSchema.type: must be object, because payloads are objects",
      "12: services.0.actions.0.inputSchema.type: must be one of string, number, integer, boolean, object, array, null",
      "13: services.0.actions.0.inputSchema.required: must be a list of names",
      "15: services.0.actions.0.inputSchema.properties.file.type: must be one of string, number, integer, boolean, object, array, null",
      "15: services.0.actions.0.inputSchema.properties.file.pattern: must be a regular expression",
      "18: services.0.actions.1.inputSchema.type: must be object, because payloads are objects",
      "21: services.0.actions.2.inputSchema.properties: must map names to schemas",
      expect.stringMatching(
        /^24: services\.0\.actions\.3\.inputSchema: the action's schema cannot be used: /,
      ),
    ],
  ],
  [
    "placeholders",
    `${good}    actions:
      - name: a
        inputSchema: { properties: { file: { type: string } } }
        execute:
          exec:
            command: [cat, "\${payload.fiel}", "\${payload.file}", "\${payload..}"]
            env: { FILE: "\${payload.path}" }
        prepare: { exec: { command: [ls, "\${payload.file}"] } }
      - name: b
        execute: { http: { url: "http://127.0.0.1/\${payload.id}" } }
      - name: c
        execute: { exec: { command: [] } }
      - name: d
        inputSchema: { properties: { file: { type: string } } }
        execute:
          exec:
            command:
              - tool
              - --out
              - "\${payload.file}"
              - --force
      - name: e
        inputSchema: { required: [x], properties: { x: { type: string } } }
        execute: { exec: { command: [su, app, -c, "echo \${payload.x}"] } }
`,
    [
      "13: services.0.actions.0.execute.exec.command.1: the inputSchema has no field fiel",
      expect.stringMatching(/^13: .*command\.3: a placeholder must look like /),
      "14: services.0.actions.0.execute.exec.env.FILE: the inputSchema has no field path",
      "15: services.0.actions.0.prepare.exec.command.1: prepare has no payload",
      expect.stringMatching(/^17: services\.0\.actions\.1\.execute\.http\.url: .* no inputSchema /),
      "19: services.0.actions.2.execute.exec.command: must list a program and its arguments",
      "27: services.0.actions.3.execute.exec.command.2: file must be required in the inputSchema: --out may need it as its value",
      expect.stringMatching(
        /^31: services\.0\.actions\.4\.execute\.exec\.command\.3: su could run a value as code/,
      ),
    ],
  ],
  [
    "labels and the bus",
    `${good.replace("  code: edge-7", "  code: edge-7\n  mode: Side\n  labels: { site: 7, '': x }")}    bus: { url: none, intervall: 1s }\nconcurrency: 65\n`,
    [
      "4: agent.mode: must start with a lowercase letter, and use only lowercase letters, digits, _ and -",
      '5: agent.labels.site: must be text; put it in quotes: "7"',
      '5: agent.labels.: the name "" must be at least 1 characters long',
      "10: services.0.bus.url: must be a URL like http://127.0.0.1:8080/health",
      "10: services.0.bus.intervall: unknown field; did you mean interval?",
      "11: concurrency: must be at most 64",
    ],
  ],
])("%s", (_what, text, problems) => {
  expect(told(text)).toEqual(problems);
});

test("a file that cannot be read is told, and what to do", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "a"));
  const missing = join(folder, "agent.yaml");
  await expect(readConfigFile(missing, {})).rejects.toThrow(
    `${missing} cannot be read: no such file; create one with \`platform agent init > agent.yaml\``,
  );
  await expect(readConfigFile(join(folder, "a"), {})).rejects.toThrow("it is a folder");
});

test("what looks like a placeholder and is none is warned of, where no shell reads it", async () => {
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

test("a secret in a file that others may read is warned of, and its value not shown", async () => {
  const file = join(temporaryFolder(), "agent.yaml");
  const headers = `{ Authorization: Bearer abc, X-Api-Key: { env: KEY }, Accept: text/plain }`;
  const health = `    health: { http: { url: "http://127.0.0.1", headers: ${headers} } }\n`;
  writeFileSync(file, `${good}${health}registrationToken: platform_reg_abc\n`);
  chmodSync(file, 0o644);
  const { warnings, origin } = await readConfigFile(file, { A: "b" });
  const what =
    "is a secret in a file that other users can read: chmod 600, or use { env: … } or { file: … }";
  expect(warnings).toEqual([
    `${file}:8: services.0.health.http.headers.Authorization: ${what}`,
    `${file}:9: registrationToken: ${what}`,
  ]);
  expect(origin).toEqual({ folder: join(file, ".."), env: { A: "b" } });
  chmodSync(file, 0o600);
  expect((await readConfigFile(file, {})).warnings).toEqual([]);
});
