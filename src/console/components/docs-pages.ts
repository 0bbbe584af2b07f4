// The pages of the documentation that the console links to. The server serves them below /docs/.

export const docsPages = {
  index: "index.html",
  concepts: "concepts.html",
  statuses: "concepts.html#status",
  fleet: "concepts.html#the-fleet",
  actions: "concepts.html#actions-and-commands",
  enrol: "guides/enrol-hosts.html",
  sidecar: "guides/sidecar.html",
  commands: "guides/commands.html",
  selectors: "guides/labels.html#choose-by-labels",
  rollouts: "guides/rollouts.html",
  waves: "guides/rollouts.html#waves",
  schedules: "guides/schedules.html",
  dueTimes: "guides/schedules.html#due-times",
  approvals: "guides/approvals.html",
  approved: "guides/approvals.html#what-was-approved-is-what-runs",
  withoutApproval: "guides/approvals.html#without-approval",
  bus: "guides/event-bus.html",
  users: "guides/users-and-access.html",
  keys: "guides/users-and-access.html#give-a-script-access",
  health: "guides/health.html",
} as const;

export type DocsPage = keyof typeof docsPages;

export function docsAddress(page: DocsPage): string {
  return `/docs/${docsPages[page]}`;
}
