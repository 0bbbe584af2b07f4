// An agent.yaml that works unchanged on a POSIX host. A `#` without a space marks a field to
// uncomment; a test uncomments all of them.

export interface SampleValues {
  server: string;
  code: string;
  stateDir: string;
}

export const exampleValues: SampleValues = {
  server: "https://agents.example.com",
  code: "edge-7",
  stateDir: "agent-state",
};

export function wholeSample(values: SampleValues): string {
  return sampleConfig(values).replace(/^( *)#(?! )/gm, "$1");
}

/** All values must match the schema. */
export function sampleConfig({ server, code, stateDir }: SampleValues): string {
  return `# The agent of this host. Check it:  platform agent check --config agent.yaml
# Run it:                            platform agent run --config agent.yaml
# platform docs agent-yaml and platform agent explain describe every field. Paths are relative
# to the folder of this file. Times are seconds, or strings such as 10s and 1m30s.

# The management server.
server: ${JSON.stringify(server)}
# The CA of the server's certificate (PEM), if it is a private one.
#caFile: ca.pem
# The default comes from the variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY.
#proxy: http://proxy.example.com:3128
# Never use true in production: anyone between agent and server could then control this agent.
#insecureSkipTlsVerify: false

agent:
  # Unique on the server. Operators see this name.
  code: ${JSON.stringify(code)}
  #name: Edge host 7
  #mode: sidecar
  #version: "1.0"
  #labels: { site: berlin, rack: "12" }

# The agent needs this token once, to register: platformctl tokens create. The token can also be in
# a file, which is read each time the agent registers: { file: registration-token }.
registrationToken: { env: PLATFORM_REGISTRATION_TOKEN }

# A folder for this agent alone, with its token and a journal of its commands.
stateDir: ${JSON.stringify(stateDir)}
# How many commands can run at the same time, 1 to 64.
#concurrency: 4
# How long running commands can continue when the agent stops.
#stopGrace: 5s

services:
  # The host itself, as a first service.
  - code: ${JSON.stringify(`${code}-host`)}
    name: The host itself
    description: Disk and load of the host that the agent runs on
    # Details of where the service runs, for operators. Any value is allowed.
    #runtime: { rack: 12 }
    # Operators select services by these labels and by those of the agent.
    #labels: { tier: host }

    # Text, or a source: exec, or http with a pointer as in the web service below.
    version:
      exec: { command: [uname, -r] }
      #interval: 1m
      #timeout: 5s

    # One of exec, http and tcp.
    health:
      # The command runs without a shell, and gets only variables such as PATH, HOME, LANG and TZ.
      exec:
        command: [df, -P, /]
        #cwd: /
        #env: { BLOCKSIZE: "1024" }
        # Names of the agent's own variables that the command also gets.
        #passEnv: [DF_OPTIONS]
      interval: 10s
      timeout: 5s
      # The number of consecutive results that change the status to DOWN, and to UP again.
      #failureThreshold: 3
      #successThreshold: 1

    # The configuration that operators see: a value, a variable, or a part of a file.
    configs:
      - { key: agent.file, value: agent.yaml, type: path, label: Configuration of the agent }
      - { key: home, env: HOME }
      #- { key: server.port, file: { path: config.yaml, pointer: /server/port }, editable: false }
      # By default, the agent follows only links that root or its own user made.
      #- { key: release, file: { path: current/VERSION, followLinks: false } }
      # The agent never reads a sensitive value. secretRef says where the value is stored.
      #- { key: db.password, env: DB_PASSWORD, sensitive: true, secretRef: "vault:db" }

    # What operators can run.
    actions:
      - name: disk-usage
        label: Show how full the disks are
        # Lists show actions by category, and those with lower numbers first.
        #category: diagnostics
        #order: 10
        # Lists leave out a hidden action.
        #hidden: false
        # LOW, MEDIUM or HIGH. HIGH requires a confirmation.
        dangerLevel: LOW
        #requiresConfirmation: false
        timeout: 30s
        execute:
          exec: { command: [df, -h] }
      - name: list-folder
        description: Lists the files of a folder
        # A JSON Schema. Nothing runs if the payload does not match it.
        inputSchema:
          type: object
          required: [path]
          properties:
            path: { type: string, title: Folder, pattern: "^/", default: /tmp }
        # A program that prints the form as JSON, for forms that depend on the current state.
        #prepare: { exec: { command: [./list-folder-form] } }
        execute:
          # \${payload.path} becomes one argument, whatever it contains. The payload is on stdin.
          exec: { command: [ls, -l, --, "\${payload.path}"] }

  # A web service.
  #- code: web
    #version:
      #http: { url: http://127.0.0.1:8080/info, pointer: /version }
      # The version is the pattern's first group, or the whole match.
      #pattern: 'v?(\\d+(\\.\\d+)*)'
    #health:
      #http:
        #url: http://127.0.0.1:8080/health
        # Text, { env: NAME } or { file: PATH }.
        #headers: { Authorization: { env: WEB_TOKEN } }
        # Default: any from 200 to 299.
        #status: 200
        # The JSON response must also have this value at this pointer.
        #pointer: /status
        #equals: ok
    #actions:
      #- name: set-level
        # The JSON response contains the form and the current state for operators.
        #prepare:
          #http: { url: http://127.0.0.1:8080/level }
        #execute:
          #http: { method: POST, url: http://127.0.0.1:8080/level }
    # The agent forwards the service's own events to the server's bus.
    #bus:
      #url: http://127.0.0.1:8080/capsule/bus/events
      #headers: { Authorization: { env: WEB_TOKEN } }
      #interval: 5s
      #timeout: 10s

  # A database, whose port must be open.
  #- code: db
    #version: "16"
    #health: { tcp: { host: 127.0.0.1, port: 5432 } }
`;
}
