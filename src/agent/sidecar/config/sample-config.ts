// What `platform agent init` prints: an agent.yaml that works as it is on a POSIX host, and shows the rest.
// Lines that begin with `#` and no blank are fields to uncomment; a test does so with all of them.

export interface SampleValues {
  server: string;
  code: string;
  stateDir: string;
}

/** For a sample that is about no host in particular. */
export const exampleValues: SampleValues = {
  server: "https://agents.example.com",
  code: "edge-7",
  stateDir: "agent-state",
};

/** The sample with every field that only has to be uncommented. */
export function wholeSample(values: SampleValues): string {
  return sampleConfig(values).replace(/^( *)#(?! )/gm, "$1");
}

/** All values must fit the schema. */
export function sampleConfig({ server, code, stateDir }: SampleValues): string {
  return `# The agent of this host. Check it:  platform agent check --config agent.yaml
# Run it:                            platform agent run --config agent.yaml
# platform agent explain, and docs/sidecar.md, explain every field. Paths are read from the folder
# of this file. Times are seconds, or texts such as 10s and 1m30s.

# The management server.
server: ${JSON.stringify(server)}
# Its certificate's authority (PEM), when that is one of your own.
#caFile: ca.pem
# Default: HTTPS_PROXY, HTTP_PROXY and NO_PROXY of the environment.
#proxy: http://proxy.example.com:3128
# Never true in production: whoever is in between can then do all that operators can.
#insecureSkipTlsVerify: false

agent:
  # Unique on the server; the name that operators use.
  code: ${JSON.stringify(code)}
  #name: Edge host 7
  #mode: sidecar
  #version: "1.0"
  #labels: { site: berlin, rack: "12" }

# Needed once, to register (platformctl tokens create). The variable is the default; a file is read
# anew when the agent has to register again: { file: registration-token }.
registrationToken: { env: PLATFORM_REGISTRATION_TOKEN }

# The agent's own folder: its token, and what it has run.
stateDir: ${JSON.stringify(stateDir)}
# How many commands run at once, 1 to 64.
#concurrency: 4
# How long they may go on after the agent was told to stop.
#stopGrace: 5s

services:
  # A service that is on every host, to begin with.
  - code: ${JSON.stringify(`${code}-host`)}
    name: The host itself
    description: Disk and load of the host that the agent runs on
    # Where it runs, for people; any value.
    #runtime: { rack: 12 }

    # A text, or asked for: exec, or http with a pointer; see below.
    version:
      exec: { command: [uname, -r] }
      #interval: 1m
      #timeout: 5s

    # One of exec, http and tcp.
    health:
      # An argv: no shell, and of the environment only PATH, HOME, LANG, TZ and the like.
      exec:
        command: [df, -P, /]
        #cwd: /
        #env: { BLOCKSIZE: "1024" }
        # Names of the agent's own variables that it gets as well.
        #passEnv: [DF_OPTIONS]
      interval: 10s
      timeout: 5s
      # In a row: before it is DOWN, and before it is UP again.
      #failureThreshold: 3
      #successThreshold: 1

    # What operators see of its configuration: a value, a variable, or a part of a file.
    configs:
      - { key: agent.file, value: agent.yaml, type: path, label: Configuration of the agent }
      - { key: home, env: HOME }
      #- { key: server.port, file: { path: config.yaml, pointer: /server/port }, editable: false }
      # Links that others than root and the agent's user made are followed only where that is said.
      #- { key: release, file: { path: current/VERSION, followLinks: false } }
      # Never read, and never sent; secretRef tells people where it is.
      #- { key: db.password, env: DB_PASSWORD, sensitive: true, secretRef: "vault:db" }

    # What operators can have done.
    actions:
      - name: disk-usage
        label: Show how full the disks are
        # LOW, MEDIUM or HIGH, which asks for a confirmation.
        dangerLevel: LOW
        #requiresConfirmation: false
        timeout: 30s
        execute:
          exec: { command: [df, -h] }
      - name: list-folder
        description: Lists the files of a folder
        # A JSON Schema. Nothing runs for a payload that does not fit.
        inputSchema:
          type: object
          required: [path]
          properties:
            path: { type: string, title: Folder, pattern: "^/", default: /tmp }
        # A form that knows more: JSON on the standard output of a program.
        #prepare: { exec: { command: [./list-folder-form] } }
        execute:
          # \${payload.path} becomes one argument, whatever is in it. The whole payload is on stdin.
          exec: { command: [ls, -l, --, "\${payload.path}"] }

  # A web service.
  #- code: web
    #version:
      #http: { url: http://127.0.0.1:8080/info, pointer: /version }
      # Its first group, or all that it matches.
      #pattern: 'v?(\\d+(\\.\\d+)*)'
    #health:
      #http:
        #url: http://127.0.0.1:8080/health
        # A text, { env: NAME } or { file: PATH }.
        #headers: { Authorization: { env: WEB_TOKEN } }
        # Default: any from 200 to 299.
        #status: 200
        # And this value at this place of the JSON that it answers.
        #pointer: /status
        #equals: ok
    #actions:
      #- name: set-level
        # The form that operators are shown, and the present state: JSON in the answer.
        #prepare:
          #http: { url: http://127.0.0.1:8080/level }
        #execute:
          #http: { method: POST, url: http://127.0.0.1:8080/level }
    # Events of its own that the agent forwards to the server's bus (GET /capsule/bus/events).
    #bus:
      #url: http://127.0.0.1:8080/capsule/bus/events
      #headers: { Authorization: { env: WEB_TOKEN } }
      #interval: 5s
      #timeout: 10s

  # A database: is anybody there?
  #- code: db
    #version: "16"
    #health: { tcp: { host: 127.0.0.1, port: 5432 } }
`;
}
