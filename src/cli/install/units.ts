// The units of the server and of each agent, and the users under which they run.

/** Input for systemd-sysusers. Agents have their own user, who cannot read the server's data. */
export const users = `# Users of platform.service and platform-agent@.service. See platform(1).
u platform       - "Agent management service" /var/lib/platform
u platform-agent - "Agents of this host"      /var/lib/platform-agent
`;

/**
 * For the server, and for agents without sudo. MemoryDenyWriteExecute cannot be set, because
 * Node.js compiles code while it runs.
 */
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

export function serverUnit(program: string, configuration: string): string {
  return `# Installed by platform install. Change it with: systemctl edit platform
[Unit]
Description=Agent management service
Documentation=man:platform(1) man:platform-serve(1)
Wants=network-online.target
After=network-online.target
# No start limit, because it would also count manual starts.
StartLimitIntervalSec=0

[Service]
Type=exec
User=platform
Group=platform
Environment=PLATFORM_DATA_DIR=/var/lib/platform XDG_CACHE_HOME=/var/cache
EnvironmentFile=-${configuration}/platform.env
ExecStart=${program} serve
# Units that are ordered after this one start when the server responds. The server may migrate its database first.
ExecStartPost=${program} ready --pid $MAINPID --timeout 15m
TimeoutStartSec=16min
# Reloads the certificate.
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=5
# A restart does not fix an invalid setting.
RestartPreventExitStatus=2
# The server stops within 10 seconds, after responding to every long poll.
TimeoutStopSec=30
KillMode=mixed
LimitNOFILE=65536
# Always leaves a quarter of the memory to the rest of the machine.
MemoryMax=75%

WorkingDirectory=/var/lib/platform
StateDirectory=platform
StateDirectoryMode=0700
# The program unpacks SQLite in this folder.
CacheDirectory=platform
CacheDirectoryMode=0700

# The server only listens and writes to its two folders. For a port below 1024, set in a drop-in
#   AmbientCapabilities=CAP_NET_BIND_SERVICE
#   CapabilityBoundingSet=CAP_NET_BIND_SERVICE
# and for a database in another folder
#   ReadWritePaths=/that/folder
# MemoryDenyWriteExecute cannot be set, because Node.js compiles code at run time.
${strictSettings.join("\n")}
AmbientCapabilities=
PrivateIPC=yes
ProtectControlGroups=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK
RemoveIPC=yes
KeyringMode=private
SystemCallFilter=@system-service
# @resources is allowed, because the server lowers the priority of its child processes.
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM

[Install]
WantedBy=multi-user.target
`;
}

const refusedCapabilities =
  "CAP_SYS_MODULE CAP_SYS_RAWIO CAP_SYS_BOOT CAP_SYS_TIME CAP_SYS_PACCT CAP_WAKE_ALARM CAP_BPF " +
  "CAP_PERFMON CAP_SYSLOG CAP_MAC_ADMIN CAP_MAC_OVERRIDE CAP_LINUX_IMMUTABLE CAP_BLOCK_SUSPEND";

/** Settings that disable sudo are comments, because the agent's programs may need sudo. */
export function agentUnit(program: string, configuration: string): string {
  return `# Installed by platform install. Change it for one agent with: systemctl edit platform-agent@NAME
[Unit]
Description=Management agent %i
Documentation=man:platform-agent(1) man:agent.yaml(5)
Wants=network-online.target
After=network-online.target platform.service
AssertPathExists=${configuration}/agents/%i.yaml
# No start limit, because it would also count manual starts.
StartLimitIntervalSec=0

[Service]
Type=exec
# The agent's programs also run as this user. If they need more rights, name a user with exactly those rights.
User=platform-agent
Group=platform-agent
# This file must set PLATFORM_REGISTRATION_TOKEN=… until the agent is registered. Keep its mode 0600.
EnvironmentFile=-${configuration}/agents/%i.env
# The C library returns freed memory to the system. The agent's programs do not get these variables.
Environment=MALLOC_ARENA_MAX=1 MALLOC_TRIM_THRESHOLD_=131072
ExecStart=${program} agent run --config ${configuration}/agents/%i.yaml
# Reloads the agent's configuration.
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=5
# A restart fixes neither an invalid file nor a token that the server refuses.
RestartPreventExitStatus=2 4
# Stops only the agent. The agent gives its programs stopGrace to finish, then ends them.
KillMode=mixed
TimeoutStopSec=30

# The agent's configuration must contain: stateDir: /var/lib/platform-agent/%i
WorkingDirectory=/var/lib/platform-agent/%i
StateDirectory=platform-agent/%i
StateDirectoryMode=0700

# Removes what no management program needs, not even through sudo: kernel modules, raw hardware, the clock, mandatory
# access control. For a program that needs such a capability, add it: CapabilityBoundingSet=CAP_SYS_TIME
CapabilityBoundingSet=~${refusedCapabilities}
AmbientCapabilities=
ProtectSystem=yes
ProtectControlGroups=yes
KeyringMode=private

# These settings would keep sudo from working. If your programs do not need sudo, set them in a drop-in.
# ReadWritePaths= names the paths that programs write outside their folder.
${strictSettings.map((line) => `#${line}`).join("\n")}

[Install]
WantedBy=multi-user.target
`;
}
