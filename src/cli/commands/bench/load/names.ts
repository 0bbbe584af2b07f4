// The names of everything that a bench creates. A cleanup finds it on the server by these names.

/** The label of all agents of all runs. */
export const benchLabel = { key: "platform-bench", value: "true" } as const;

export function agentCode(run: string, number: number): string {
  return `bench-${run}-${String(number).padStart(5, "0")}`;
}

export function tokenName(run: string): string {
  return `platform bench ${run}`;
}

const codePattern = /^bench-[0-9a-z]{8}-\d{5,}$/;
const tokenPattern = /^platform bench [0-9a-z]{8}$/;

/** The label alone does not identify an agent, because an operator may have copied it. */
export function isBenchAgent(agent: { code: string; labels: Record<string, string> }): boolean {
  return codePattern.test(agent.code) && agent.labels[benchLabel.key] === benchLabel.value;
}

export function isBenchToken({
  name,
  agentCode,
}: {
  name: string | null;
  agentCode: string | null;
}) {
  return tokenPattern.test(name ?? "") && codePattern.test(agentCode ?? "");
}

/** Two actions: one whose form the agent prepares, and one without a form. */
export const actionNames = { prepared: "bench-form", plain: "bench-run" } as const;

export const reportedService = {
  name: "Service of a bench",
  version: "1.0.0",
  healthStatus: "HEALTHY",
  actions: [
    {
      name: actionNames.prepared,
      description: "The agent prepares the form of this action.",
      inputSchema: { type: "object", properties: { level: { type: "string" } } },
    },
    { name: actionNames.plain, description: "This action has no form.", prepare: false },
  ],
};
