/** What to do if two programs use an agent's token. docs/guides/troubleshooting.md has more. */
export function stopOneOf(code: string): string {
  return `Stop the copy and delete its stateDir, or replace the token: platformctl tokens create --agent ${code} --replace`;
}
