// The meaning of each field of agent.yaml, and its default if the schema has none. Used by
// `platform agent explain` and agent.yaml(5). The text is Markdown, identical to the tables of
// docs/sidecar.md; a test compares the two.

export interface FieldWords {
  meaning: string;
  byDefault?: string;
}

/** Keyed by the section that explains the field. Several places in the file can share one. */
export const fieldWords: Record<string, Record<string, FieldWords>> = {
  "The file": {
    server: { meaning: "URL of the management server: `https://agents.example.com`" },
    caFile: {
      meaning: "certificates in PEM; if set, the agent trusts only these authorities",
      byDefault: "the well-known authorities",
    },
    proxy: {
      meaning: "proxy to the server; never used for services on the host",
      byDefault: "`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`",
    },
    insecureSkipTlsVerify: {
      meaning:
        "`true` accepts any certificate: anyone between agent and server can then do all that operators can",
    },
    agent: { meaning: "identity of the agent, [below](#agent)" },
    registrationToken: {
      meaning:
        "a [secret](#secrets), needed while `stateDir` has no token; read again each time one is needed",
    },
    stateDir: {
      meaning:
        "a folder for this agent alone: its token, command journal and file lock (not on NFS without locking)",
    },
    concurrency: {
      meaning: "how many commands run at once, 1 to 64; those of one service run in order",
      byDefault: "4",
    },
    stopGrace: {
      meaning:
        "how long running commands can continue after a stop signal. The whole stop takes up to 3 s more, and 5 s more while the server is away",
      byDefault: "`5s`",
    },
    services: { meaning: "one or more services, [below](#services)" },
  },
  secrets: {
    env: { meaning: "name of a variable in the agent's own environment" },
    file: { meaning: "a file that contains only the secret; read again each time" },
    followLinks: {
      meaning: "with `file`: `true` follows every symbolic link, [below](#configs)",
      byDefault: "none",
    },
  },
  agent: {
    code: { meaning: "unique on the server; letters, digits and `. _ : -`" },
    name: { meaning: "display name", byDefault: "none" },
    mode: { meaning: "a word that operators can filter by" },
    version: {
      meaning:
        "version of this setup, for operators; if absent, they see the sidecar's current version",
      byDefault: "none",
    },
    labels: {
      meaning: "names with values: `{ site: berlin }`; operators can filter by them",
      byDefault: "none",
    },
  },
  services: {
    code: { meaning: "unique on the server; the name that operators use" },
    name: { meaning: "display name", byDefault: "the code" },
    description: { meaning: "what the service is", byDefault: "none" },
    runtime: { meaning: "where it runs; any value", byDefault: "none" },
    version: { meaning: "a string, or how to find it, [below](#version)" },
    health: {
      meaning: "how to check its health, [below](#health); if absent, operators see UNKNOWN",
      byDefault: "none",
    },
    configs: { meaning: "what operators see of its configuration, [below](#configs)" },
    actions: { meaning: "what operators can run, [below](#actions)", byDefault: "`[]`" },
    bus: { meaning: "its events, which the agent forwards, [below](#bus)", byDefault: "none" },
  },
  version: {
    exec: {
      meaning: "the first line of a program's standard output ([exec](#exec))",
      byDefault: "one of two",
    },
    http: {
      meaning: "the response, or what `pointer` selects in its JSON ([http](#http))",
      byDefault: "one of two",
    },
    pattern: {
      meaning: "a regular expression: its first group, or else the whole match, is the version",
      byDefault: "none",
    },
    interval: {
      meaning: "time between look-ups; a new version is reported at once",
      byDefault: "`1m`",
    },
    timeout: { meaning: "how long each attempt can take", byDefault: "`5s`" },
  },
  health: {
    http: { meaning: "a request that must succeed, [http](#http)", byDefault: "one of three" },
    tcp: {
      meaning: "a port that must accept a connection, [tcp](#tcp)",
      byDefault: "one of three",
    },
    exec: {
      meaning: "a program that must exit with status 0, [exec](#exec)",
      byDefault: "one of three",
    },
    interval: { meaning: "time between probes", byDefault: "`10s`" },
    timeout: {
      meaning: "how long each probe can take; a longer one fails",
      byDefault: "`5s`",
    },
    failureThreshold: {
      meaning: "consecutive failures until it is DOWN; the first result counts at once",
    },
    successThreshold: { meaning: "consecutive successes until it is UP again" },
  },
  http: {
    url: { meaning: "URL of the request, http or https" },
    method: {
      meaning: "for actions only; probes and versions use GET",
      byDefault: "GET to prepare, POST to execute",
    },
    headers: { meaning: "names with values, each a [secret](#secrets)" },
    status: {
      meaning: "for health only: the status that is healthy",
      byDefault: "any from 200 to 299",
    },
    pointer: {
      meaning: "for health and version: a JSON Pointer into the response",
      byDefault: "none",
    },
    equals: {
      meaning:
        "for health only: the healthy value at `pointer`; if absent, any value there except `false` and `null`",
      byDefault: "none",
    },
  },
  tcp: {
    host: { meaning: "name or address that the service listens on" },
    port: { meaning: "port that must accept a connection" },
  },
  exec: {
    command: { meaning: "the program and its arguments, a list" },
    cwd: { meaning: "working directory", byDefault: "the folder of the file" },
    env: { meaning: "variables to set: `{ LEVEL: debug }`" },
    passEnv: { meaning: "names of the agent's own variables to pass on" },
  },
  configs: {
    key: { meaning: "unique in the service" },
    label: { meaning: "display name", byDefault: "none" },
    type: { meaning: "a word for operators: `path`, `url`", byDefault: "from the value" },
    editable: { meaning: "shown to operators; has no other effect" },
    sensitive: {
      meaning: "`true`: the agent does not even read the value, which never leaves the host",
    },
    secretRef: { meaning: "where a secret is kept, for operators", byDefault: "none" },
    value: { meaning: "any value", byDefault: "one of three" },
    env: { meaning: "name of one of the agent's variables", byDefault: "one of three" },
    file: { meaning: "a file, with `path` and `pointer`", byDefault: "one of three" },
    "file.path": {
      meaning:
        "JSON (up to 1 MiB) or YAML (up to 64 KiB); if a key is repeated, its last value counts. Without a pointer, a file whose name does not end in `.json`, `.yaml` or `.yml` is reported as text, **unchanged**: do not use a file that contains a secret",
    },
    "file.followLinks": {
      meaning:
        "`true`: follow every symbolic link. Otherwise the agent follows only links that root or its own user created. The creator of any other link could make it show a file that only the agent can read",
    },
    "file.pointer": {
      meaning: "a JSON Pointer: `/server/port`",
      byDefault: "none: the whole file",
    },
  },
  actions: {
    name: { meaning: "unique in the service" },
    label: { meaning: "display name", byDefault: "the name" },
    description: { meaning: "what the action does", byDefault: "none" },
    dangerLevel: { meaning: "`LOW`, `MEDIUM` or `HIGH`", byDefault: "LOW" },
    requiresConfirmation: {
      meaning: "operators must confirm the action",
      byDefault: "true for HIGH",
    },
    timeout: {
      meaning:
        "how long it can take, in whole seconds, at most 1d; then the agent stops it, and it has failed",
      byDefault: "5m",
    },
    inputSchema: {
      meaning: "a JSON Schema; the action does not run for a payload that does not match",
      byDefault: "any payload",
    },
    prepare: {
      meaning:
        "one of [exec](#exec) and [http](#http), which returns the current form; must not change anything",
      byDefault: "none",
    },
    execute: { meaning: "one of [exec](#exec) and [http](#http), which runs the action" },
  },
  bus: {
    url: { meaning: "URL of its events: `http://127.0.0.1:8080/capsule/bus/events`" },
    headers: { meaning: "names with values, each a [secret](#secrets)" },
    interval: { meaning: "time between reads while there are no new events", byDefault: "`5s`" },
    timeout: { meaning: "how long each read can take", byDefault: "`10s`" },
  },
  // Of an action. docs/sidecar.md explains it in the text about `prepare` and `execute`.
  handler: {
    exec: {
      meaning: "a program that gets the payload on standard input, [exec](#exec)",
      byDefault: "one of two",
    },
    http: {
      meaning: "a request with the payload as its body, [http](#http)",
      byDefault: "one of two",
    },
  },
};
