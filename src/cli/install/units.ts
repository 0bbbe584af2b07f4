// What systemd is told: the unit of the server, the unit of each agent, and the users that they run as.

/** For systemd-sysusers. Who may read the server's data may do everything: agents have a user of their own. */
export const users = `# Users of platform.service and platform-agent@.service. See platform(1).
u platform       - "Agent management service" /var/lib/platform
u platform-agent - "Agents of this host"      /var/lib/platform-agent
`;

/** `program` is the path of the installed program, `configuration` the folder of its settings. */
export function serverUnit(program: string, configuration: string): string {
  return `# Laid by platform install. Change it with: systemctl edit platform
[Unit]
Description=Agent management service
Documentation=man:platform(1) man:platform-serve(1)
Wants=network-online.target
After=network-online.target
# No limit: it would count the starts of an operator too.
StartLimitIntervalSec=0

[Service]
Type=exec
User=platform
Group=platform
Environment=PLATFORM_DATA_DIR=/var/lib/platform XDG_CACHE_HOME=/var/cache
EnvironmentFile=-${configuration}/platform.env
ExecStart=${program} serve
# What comes after this unit starts when the server answers. Before that it may migrate its database.
ExecStartPost=${program} ready --pid $MAINPID --timeout 15m
TimeoutStartSec=16min
# Reads the certificate again.
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=5
# A setting that cannot be used gets no better by trying again.
RestartPreventExitStatus=2
# It ends by itself within 10 seconds, and answers every held poll first.
TimeoutStopSec=30
KillMode=mixed
LimitNOFILE=65536
# Whatever goes wrong, the rest of the machine keeps a quarter of its memory.
MemoryMax=75%

WorkingDirectory=/var/lib/platform
StateDirectory=platform
StateDirectoryMode=0700
# SQLite is unpacked there from the program.
CacheDirectory=platform
CacheDirectoryMode=0700
UMask=0077

# It listens, and writes in its two folders: nothing else. For a port below 1024 set in a drop-in
#   AmbientCapabilities=CAP_NET_BIND_SERVICE
#   CapabilityBoundingSet=CAP_NET_BIND_SERVICE
# and for a database in another folder
#   ReadWritePaths=/that/folder
# MemoryDenyWriteExecute cannot be set: Node.js compiles while it runs.
CapabilityBoundingSet=
AmbientCapabilities=
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
PrivateIPC=yes
ProtectProc=invisible
ProtectHostname=yes
ProtectClock=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
RemoveIPC=yes
KeyringMode=private
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallFilter=~@privileged @resources
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}

const refusedCapabilities =
  "CAP_SYS_MODULE CAP_SYS_RAWIO CAP_SYS_BOOT CAP_SYS_TIME CAP_SYS_PACCT CAP_WAKE_ALARM CAP_BPF " +
  "CAP_PERFMON CAP_SYSLOG CAP_MAC_ADMIN CAP_MAC_OVERRIDE CAP_LINUX_IMMUTABLE CAP_BLOCK_SUSPEND";

/** For agents whose programs do without sudo. MemoryDenyWriteExecute cannot be set: Node.js compiles. */
export const strictSettings = [
  "NoNewPrivileges=yes",
  "CapabilityBoundingSet=",
  "ProtectSystem=strict",
  "ProtectHome=yes",
  "PrivateTmp=yes",
  "PrivateDevices=yes",
  "ProtectProc=invisible",
  "ProtectHostname=yes",
  "ProtectClock=yes",
  "ProtectKernelTunables=yes",
  "ProtectKernelModules=yes",
  "ProtectKernelLogs=yes",
  "RestrictNamespaces=yes",
  "RestrictRealtime=yes",
  "RestrictSUIDSGID=yes",
  "LockPersonality=yes",
  "SystemCallArchitectures=native",
  "UMask=0077",
];

/**
 * One for each agent: `platform-agent@NAME` reads `agents/NAME.yaml`. Its programs are the operator's, and
 * need what only the operator knows: what keeps sudo from working is left to a drop-in.
 */
export function agentUnit(program: string, configuration: string): string {
  return `# Laid by platform install. Change it for one agent with: systemctl edit platform-agent@NAME
[Unit]
Description=Management agent %i
Documentation=man:platform-agent(1) man:agent.yaml(5)
Wants=network-online.target
After=network-online.target platform.service
AssertPathExists=${configuration}/agents/%i.yaml
# No limit: it would count the starts of an operator too.
StartLimitIntervalSec=0

[Service]
Type=exec
# Its programs run as this user too: for others name one that can do what they need, and no more.
User=platform-agent
Group=platform-agent
# PLATFORM_REGISTRATION_TOKEN=… is needed there until the agent is registered. Keep it 0600.
EnvironmentFile=-${configuration}/agents/%i.env
ExecStart=${program} agent run --config ${configuration}/agents/%i.yaml
# Reads its file again.
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=5
# A wrong file, and a token that the server does not take, get no better by trying again.
RestartPreventExitStatus=2 4
# Only the agent is told to stop: it lets programs end within stopGrace, and ends them then.
KillMode=mixed
TimeoutStopSec=30

# In the file: stateDir: /var/lib/platform-agent/%i
WorkingDirectory=/var/lib/platform-agent/%i
StateDirectory=platform-agent/%i
StateDirectoryMode=0700

# What no management program needs, not even through sudo: kernel modules, raw hardware, the clock, other
# kernels, rules of mandatory access. A program that does: CapabilityBoundingSet=CAP_SYS_TIME adds one.
CapabilityBoundingSet=~${refusedCapabilities}
AmbientCapabilities=
ProtectSystem=yes
ProtectControlGroups=yes
KeyringMode=private

# All that follows keeps sudo from working, which programs may need. Where they do without it, take the
# first # of each line away in a drop-in; ReadWritePaths= names what they write besides their folder.
${strictSettings.map((line) => `#${line}`).join("\n")}

[Install]
WantedBy=multi-user.target
`;
}
