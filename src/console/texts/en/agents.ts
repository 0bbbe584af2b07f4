// Pages of agents.

export const agents = {
  title: "Agents",
  lead: "Programs that run next to your services, and speak for them.",
  empty: "No agent has registered yet. Create a registration token, and start an agent with it.",
  mode: "Mode",
  labels: "Labels",
  lastSign: "Last sign of life",
  registered: "Registered",
  searchHint: "Code or name",
  labelFilter: "Label",
  labelHint: "key:value",
};
