// The meaning of each agent.yaml field, and its default if the schema has none. The texts are
// Markdown, identical to the tables of docs/reference/agent-yaml.md; a test compares the two.

type FieldWords = string | readonly [meaning: string, byDefault: string];

/** Several places in agent.yaml can share a section. */
export const fieldWords: Record<string, Record<string, FieldWords>> = {
  "The file": {
    server: "URL of the management server: `https://agents.example.com`",
    caFile: [
      "PEM file of the certificate authorities to trust; the agent then trusts no others",
      "the default root CAs",
    ],
    proxy: [
      "proxy to the server; never used for services on the host",
      "`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`",
    ],
    insecureSkipTlsVerify:
      "`true` accepts any certificate: anyone who impersonates the server then gets the agent's token and can run its actions",
    agent: "identity of the agent, [below](#agent)",
    registrationToken:
      "a [secret](#secrets), needed while `stateDir` contains no token; read again each time the agent needs it",
    stateDir:
      "a folder for this agent alone, with its token, command journal and file lock; it must not be on NFS without locking",
    concurrency: [
      "how many commands can run at the same time, 1 to 64; commands of one service run in order",
      "4",
    ],
    stopGrace: [
      "how long running commands can continue after a stop signal. After this time, the agent needs up to 4 s to stop, or up to 9 s while the server is unreachable or refuses the agent",
      "`5s`",
    ],
    services: "one or more services, [below](#services)",
  },
  secrets: {
    env: "name of a variable in the agent's own environment",
    file: "a file that contains only the secret; read again each time the secret is needed",
    followLinks: "with `file`: `true` follows every symbolic link, [below](#configs)",
  },
  agent: {
    code: "name of the agent, unique on the server; letters, digits and `. _ : -`",
    name: "display name",
    mode: "a word that operators can filter by",
    version:
      "version of this setup, for operators; if absent, they see the sidecar's current version",
    labels:
      "keys with values: `{ site: berlin }`; operators select agents and services by their labels",
  },
  services: {
    code: "name of the service, unique on the server; operators refer to the service by this name",
    name: ["display name", "the code"],
    description: "what the service is",
    runtime: "details of where the service runs, for operators: any value, such as `{ rack: 12 }`",
    labels: "keys with values, in addition to those of the agent: `{ tier: web }`",
    version: "a string, or how to find it, [below](#version)",
    health: "how to check the service's health, [below](#health); if absent, operators see UNKNOWN",
    configs: "what operators see of the service's configuration, [below](#configs)",
    actions: ["what operators can run, [below](#actions)", "`[]`"],
    bus: "the service's events, which the agent forwards, [below](#bus)",
  },
  version: {
    exec: [
      "what a program prints to standard output or, if that is empty, to standard error ([exec](#exec))",
      "required without `http`",
    ],
    http: [
      "the response, or what `pointer` selects in its JSON ([http](#http))",
      "required without `exec`",
    ],
    pattern: "a regular expression; the version is its first group, or else the whole match",
    interval: ["time between checks; a new version is reported immediately", "`1m`"],
    timeout: ["how long each attempt can take", "`5s`"],
  },
  health: {
    http: ["a request that must succeed, [http](#http)", "required without `tcp` or `exec`"],
    tcp: ["a port that must accept a connection, [tcp](#tcp)", "required without `http` or `exec`"],
    exec: [
      "a program that must exit with status 0, [exec](#exec)",
      "required without `http` or `tcp`",
    ],
    interval: ["time between probes", "`10s`"],
    timeout: ["how long each probe can take; a probe that takes longer fails", "`5s`"],
    failureThreshold:
      "number of consecutive failures after which the service is DOWN; the first probe takes effect immediately",
    successThreshold: "number of consecutive successes after which the service is UP again",
  },
  http: {
    url: "URL of the request, http or https",
    method: ["for actions only; probes and versions use GET", "GET to prepare, POST to execute"],
    headers: "names with values; a value can be a [secret](#secrets)",
    status: ["for health only: the healthy status", "any from 200 to 299"],
    pointer: "for health and version: a JSON Pointer into the response",
    equals:
      "for health only: the healthy value at `pointer`; if absent, every value except `false` and `null` is healthy",
  },
  tcp: {
    host: "name or address that the service listens on",
    port: "port that must accept a connection",
  },
  exec: {
    command: "a list: the program and its arguments",
    cwd: ["working directory", "the folder of `agent.yaml`"],
    env: "variables to set: `{ LEVEL: debug }`",
    passEnv: "names of the agent's own variables to pass on",
  },
  configs: {
    key: "name of the config, unique in the service",
    label: "display name",
    type: ["the kind of value, for operators, such as `path` or `url`", "from the value"],
    editable: "whether operators see the value as editable; has no other effect",
    sensitive: "`true`: the agent does not read the value at all, so it never leaves the host",
    secretRef: "for operators: where the secret is stored",
    value: ["any value", "required without `env` or `file`"],
    env: [
      "name of the agent's environment variable that contains the value",
      "required without `value` or `file`",
    ],
    file: ["the file that contains the value", "required without `value` or `env`"],
    "file.path":
      "path of a JSON file (up to 1 MiB) or YAML file (up to 64 KiB); if a key is repeated, its last value counts. Without a pointer, a file whose name does not end in `.json`, `.yaml` or `.yml` is reported as text, **unchanged**: do not use a file that contains a secret",
    "file.followLinks":
      "`true`: follow every symbolic link. Otherwise the agent follows only links that root or its own user created. The creator of any other link could make the agent report a file that only the agent can read",
    "file.pointer": ["a JSON Pointer: `/server/port`", "none: the whole file"],
  },
  actions: {
    name: "name of the action, unique in the service",
    label: ["display name", "the name"],
    description: "what the action does",
    category: [
      "a heading in lists of actions, such as `account` or `diagnostics`",
      "none: under no heading",
    ],
    order: [
      "a whole number: the position in the category; lower numbers come first",
      "the last place",
    ],
    hidden: [
      "`true` omits the action from lists; [results](structured-results.md) can offer it, and it can be run by its name",
      "false, but true for the categories `row-action` and `page-action`",
    ],
    dangerLevel: ["`LOW`, `MEDIUM` or `HIGH`", "LOW"],
    requiresConfirmation: [
      "whether operators must confirm the action",
      "true for HIGH, otherwise false",
    ],
    timeout: [
      "how long the action can take, in whole seconds, at most 1d; after that, the agent stops it and the command fails",
      "5m",
    ],
    inputSchema: [
      "a JSON Schema of the payload; the action does not run with a payload that does not match",
      "any payload",
    ],
    prepare:
      "an [exec](#exec) or [http](#http) that returns the current form; it must not change anything",
    execute: "an [exec](#exec) or [http](#http) that runs the action",
  },
  bus: {
    url: "URL of the service's events: `http://127.0.0.1:8080/capsule/bus/events`",
    headers: "names with values; a value can be a [secret](#secrets)",
    interval: ["time between reads while there are no new events", "`5s`"],
    timeout: ["how long each read can take", "`10s`"],
  },
  // docs/reference/agent-yaml.md explains the handler in the text about `prepare` and `execute`.
  handler: {
    exec: [
      "a program that gets the payload on standard input, [exec](#exec)",
      "required without `http`",
    ],
    http: ["a request with the payload as its body, [http](#http)", "required without `exec`"],
  },
};
