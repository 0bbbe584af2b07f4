// The overview.

export const overview = {
  title: "Overview",
  counts: {
    agents: "Agents",
    services: "Services",
    commands: "Open commands",
    tokens: "Registration tokens",
  },
  begin: {
    title: "How to begin",
    text: "No agent has registered yet. An agent runs next to your services, reports how they are, and runs their actions.",
    steps: [
      "Create a registration token: it lets one agent in.",
      "Start an agent with it, where your services run. The command line is shown with the token, when it is created.",
      "Its services appear here by themselves.",
    ],
    viewer: "Ask somebody with the role operator or owner to create a registration token.",
  },
  map: {
    title: "Health map",
    legend: "Show only services that are",
    find: "Find a service",
    findHint: "Code",
    problemsFirst: "Problems first",
    keys: "Arrow keys go from service to service, Enter opens one.",
    services: (agent: string) => `Services of ${agent}`,
    cell: (code: string, name: string, status: string, message?: string) =>
      `${code}, ${name}: ${status}${message ? `, ${message}` : ""}`,
    shown: (shown: string, total: string) => `${shown} of ${total} services`,
    truncated: (shown: string, total: string) =>
      `There are ${total} services: the ${shown} that need attention most are shown.`,
    noServices: "No agent has reported a service yet.",
    none: "No service matches.",
  },
  commands: {
    title: "Commands over time",
    window: "How far back",
    windows: { 1: "1 hour", 6: "6 hours", 24: "24 hours", 168: "7 days" },
    succeeded: "Succeeded",
    failed: "Failed",
    cancelled: "Cancelled",
    outcomes: "Ended commands",
    durations: "Duration",
    p50: "p50",
    p95: "p95",
    time: "From",
    none: "No command has ended in this time.",
    asTable: "Show as a table",
    asPlot: "Show as a plot",
    summary: (succeeded: string, failed: string, cancelled: string) =>
      `${succeeded} succeeded, ${failed} failed, ${cancelled} cancelled`,
    plot: (what: string, window: string, summary: string) =>
      `${what} in the last ${window}: ${summary}. The table has the numbers.`,
    covered: (from: string) =>
      `There are too many commands to count them all: complete from ${from}.`,
  },
  failures: {
    title: "Recent failures",
    all: "All failed commands",
    none: "No command has failed.",
    when: "When",
  },
  feed: {
    title: "Live feed",
    pause: "Pause",
    resume: "Go on",
    waiting: (count: string) => `${count} new since the pause`,
    none: "Nothing has happened yet.",
    all: "Whole audit trail",
  },
};
