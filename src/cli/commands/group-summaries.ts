import type { Noun } from "../../api/contract/noun.ts";
import { nouns } from "../../api/contract/nouns.ts";

/** The keys are the first words of commands. */
export const groupSummaries: Record<string, string> = {
  ...Object.fromEntries(Object.values<Noun>(nouns).map(({ group, summary }) => [group, summary])),
  context: "Servers that you have signed in to",
  agent: "The agent of this host, which manages its programs (for operators: agents)",
  agents: `${nouns.agents.summary} (on a host: agent)`,
  attention: "What is wrong, and acknowledgements and silences",
  actions: "Run the actions of services",
  sessions: "Your sessions",
  audit: "The audit trail",
  settings: "Settings that can be changed while the server runs",
  db: "The database of the server",
  maintenance: "Run the periodic maintenance now, or accept a loss of data",
};
