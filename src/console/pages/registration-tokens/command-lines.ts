// What to write on an agent's host, ready to be copied. (`docs/sidecar.md`, `docs/agent-protocol.md`)

/**
 * A file to begin with, which works as it is, and the agent that registers with the token; for the
 * one code that the token is for, if there is one.
 */
export function sidecarCommands(server: string, token: string, code: string | null): string {
  const coded = code === null ? "" : ` --code ${code}`;
  return [
    `platform agent init --server ${server}${coded} > agent.yaml`,
    `PLATFORM_REGISTRATION_TOKEN=${token} platform agent run`,
  ].join("\n");
}

export function curlCall(server: string, token: string, code: string): string {
  const agent = JSON.stringify({ agent: { code, mode: "external" } });
  return [
    `curl -s ${server}/api/agents/register`,
    `-H 'Authorization: Bearer ${token}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${agent}'`,
  ].join(" \\\n  ");
}

/** Whether the name means the computer itself that uses it. */
export function isLoopback(hostName: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostName);
}
