// What each field of agent.yaml means, and its default where the schema has none: for
// `platform agent explain` and agent.yaml(5). In Markdown, as in docs/sidecar.md, whose tables hold the same
// words: a test compares.

export interface FieldWords {
  meaning: string;
  byDefault?: string;
}

/** By the section that explains a field, which several places of the file may share. */
export const fieldWords: Record<string, Record<string, FieldWords>> = {
  "The file": {
    server: { meaning: "where the management server is: `https://agents.example.com`" },
    caFile: {
      meaning: "certificates in PEM; when given, only what they vouch for is trusted",
      byDefault: "the well-known authorities",
    },
    proxy: {
      meaning: "of the way to the server; services on the host are never asked through it",
      byDefault: "`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`",
    },
    insecureSkipTlsVerify: {
      meaning: "`true` takes any certificate: whoever is in between can do all that operators can",
    },
    agent: { meaning: "who the agent is, [below](#agent)" },
    registrationToken: {
      meaning:
        "a [secret](#secrets), needed while `stateDir` has no token; looked up anew each time one is needed",
    },
    stateDir: {
      meaning:
        "a folder of this agent's own: its token, its journal of commands and its lock, a file lock (not on NFS without locks)",
    },
    concurrency: {
      meaning: "how many commands run at once, 1 to 64; of one service they run in order",
      byDefault: "4",
    },
    stopGrace: {
      meaning:
        "how long what runs may go on after the agent was told to stop; all in all a stop takes up to 3 s more, and 5 s more while the server is away",
      byDefault: "`5s`",
    },
    services: { meaning: "one or more, [below](#services)" },
  },
  secrets: {
    env: { meaning: "the name of a variable of the agent's own environment" },
    file: { meaning: "a file that holds nothing else; read anew each time" },
    followLinks: {
      meaning: "beside `file`: `true` follows every symbolic link, [below](#configs)",
      byDefault: "none",
    },
  },
  agent: {
    code: { meaning: "unique on the server; letters, digits and `. _ : -`" },
    name: { meaning: "for people", byDefault: "none" },
    mode: { meaning: "a word for operators to filter by" },
    version: {
      meaning:
        "of this setup, for people; without it they see the version of the sidecar, also after an upgrade",
      byDefault: "none",
    },
    labels: {
      meaning: "names with their values: `{ site: berlin }`; operators filter by them",
      byDefault: "none",
    },
  },
  services: {
    code: { meaning: "unique on the server; the name that operators use" },
    name: { meaning: "for people", byDefault: "the code" },
    description: { meaning: "what it is", byDefault: "none" },
    runtime: { meaning: "where it runs; any value", byDefault: "none" },
    version: { meaning: "a text, or asked for, [below](#version)" },
    health: {
      meaning: "how its health is found out, [below](#health); without it operators see UNKNOWN",
      byDefault: "none",
    },
    configs: { meaning: "what operators see of its configuration, [below](#configs)" },
    actions: { meaning: "what they can have done, [below](#actions)", byDefault: "`[]`" },
    bus: { meaning: "its events, which the agent forwards, [below](#bus)", byDefault: "none" },
  },
  version: {
    exec: {
      meaning: "the first line of its standard output ([exec](#exec))",
      byDefault: "one of two",
    },
    http: {
      meaning: "the answer, or what `pointer` points at in its JSON ([http](#http))",
      byDefault: "one of two",
    },
    pattern: {
      meaning: "a regular expression: its first group, or all that it matches, is the version",
      byDefault: "none",
    },
    interval: {
      meaning: "how often it is looked up; a new version is reported at once",
      byDefault: "`1m`",
    },
    timeout: { meaning: "how long each try may take", byDefault: "`5s`" },
  },
  health: {
    http: { meaning: "a call that must succeed, [http](#http)", byDefault: "one of three" },
    tcp: { meaning: "a port that must take a connection, [tcp](#tcp)", byDefault: "one of three" },
    exec: { meaning: "a program that must end with 0, [exec](#exec)", byDefault: "one of three" },
    interval: { meaning: "from one probe to the next", byDefault: "`10s`" },
    timeout: {
      meaning: "how long each probe may take; one that takes longer has failed",
      byDefault: "`5s`",
    },
    failureThreshold: {
      meaning: "failures in a row until it is DOWN; the very first result counts at once",
    },
    successThreshold: { meaning: "successes in a row until it is UP again" },
  },
  http: {
    url: { meaning: "what is called, over http or https" },
    method: {
      meaning: "of actions only; probes and versions use GET",
      byDefault: "GET to prepare, POST to execute",
    },
    headers: { meaning: "names with their values, each a [secret](#secrets)" },
    status: {
      meaning: "of health only: the one that is healthy",
      byDefault: "any from 200 to 299",
    },
    pointer: {
      meaning: "of health and version: a JSON Pointer into the answer",
      byDefault: "none",
    },
    equals: {
      meaning:
        "of health only: the value there that is healthy; with a `pointer` alone, anything there but `false` and `null`",
      byDefault: "none",
    },
  },
  tcp: {
    host: { meaning: "the name or address that it listens on" },
    port: { meaning: "the port that must take a connection" },
  },
  exec: {
    command: { meaning: "the program and its arguments, a list" },
    cwd: { meaning: "where it runs", byDefault: "the folder of the file" },
    env: { meaning: "variables for it: `{ LEVEL: debug }`" },
    passEnv: { meaning: "names of the agent's own variables that it gets as well" },
  },
  configs: {
    key: { meaning: "unique in the service" },
    label: { meaning: "for people", byDefault: "none" },
    type: { meaning: "a word for people: `path`, `url`", byDefault: "of the value" },
    editable: { meaning: "told to operators; nothing more" },
    sensitive: { meaning: "`true`: it is not even read, and never leaves the host" },
    secretRef: { meaning: "where a secret is kept, for people", byDefault: "none" },
    value: { meaning: "any value", byDefault: "one of three" },
    env: { meaning: "the name of a variable of the agent", byDefault: "one of three" },
    file: { meaning: "a file, with `path` and `pointer`", byDefault: "one of three" },
    "file.path": {
      meaning:
        "JSON (up to 1 MiB) or YAML (up to 64 KiB); if a key is repeated, its last value counts. Without a pointer, a file with a name that does not end in `.json`, `.yaml` or `.yml` is reported as text, **unchanged**: do not name one that holds a secret",
    },
    "file.followLinks": {
      meaning:
        "`true`: follow every symbolic link. Otherwise only links that root or the agent's own user made are followed: through any other, the user who made it could make the agent show a file that only the agent may read",
    },
    "file.pointer": { meaning: "a JSON Pointer: `/server/port`", byDefault: "none: all of it" },
  },
  actions: {
    name: { meaning: "unique in the service" },
    label: { meaning: "for people", byDefault: "the name" },
    description: { meaning: "what it does", byDefault: "none" },
    dangerLevel: { meaning: "`LOW`, `MEDIUM` or `HIGH`", byDefault: "LOW" },
    requiresConfirmation: { meaning: "operators must confirm it", byDefault: "for HIGH ones" },
    timeout: {
      meaning: "how long it may take; then it is ended, and has failed; whole seconds, at most 1d",
      byDefault: "5m",
    },
    inputSchema: {
      meaning: "a JSON Schema; nothing runs for a payload that does not fit",
      byDefault: "any payload",
    },
    prepare: {
      meaning:
        "one of [exec](#exec) and [http](#http), which answers the form of right now; must change nothing",
      byDefault: "none",
    },
    execute: { meaning: "one of [exec](#exec) and [http](#http), which does it" },
  },
  bus: {
    url: { meaning: "where its events are read: `http://127.0.0.1:8080/capsule/bus/events`" },
    headers: { meaning: "names with their values, each a [secret](#secrets)" },
    interval: { meaning: "between reads while there are no new events", byDefault: "`5s`" },
    timeout: { meaning: "how long each read may take", byDefault: "`10s`" },
  },
  // Of an action; the text of docs/sidecar.md explains it with `prepare` and `execute`.
  handler: {
    exec: {
      meaning: "a program, which gets the payload on standard input, [exec](#exec)",
      byDefault: "one of two",
    },
    http: {
      meaning: "a call, which has the payload as its body, [http](#http)",
      byDefault: "one of two",
    },
  },
};
