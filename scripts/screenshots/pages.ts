import type { Page } from "playwright-core";

export interface Shot {
  name: string;
  path: (ids: Ids) => string;
  prepare?: (page: Page) => Promise<void>;
  /** The themes in which the documentation shows the page, at the wide size. */
  docs?: ("light" | "dark")[];
}

export interface Ids {
  agentId: string;
  serviceId: string;
  commandId: string;
  rolloutId: string;
  routeId: string;
  eventId: string;
  scheduleId: string;
  waitingScheduleId: string;
  approvalId: string;
  waitingRolloutId: string;
  policyId: string;
}

export const shots: Shot[] = [
  { name: "overview", path: () => "/", docs: ["light", "dark"] },
  {
    name: "overview-unhealthy",
    path: () => "/?status=UNHEALTHY,STALE,OFFLINE&first=problems",
    prepare: (page) => page.locator("a.map-cell").first().hover(),
  },
  { name: "agents", path: () => "/agents" },
  { name: "agent", path: ({ agentId }) => `/agents/${agentId}` },
  { name: "services", path: () => "/services" },
  { name: "service", path: ({ serviceId }) => `/services/${serviceId}` },
  {
    name: "action",
    path: ({ serviceId }) => `/services/${serviceId}/actions/reindex`,
    // The form loads after the page.
    prepare: (page) => page.getByLabel("Books at once").waitFor(),
    docs: ["light", "dark"],
  },
  { name: "commands", path: () => "/commands" },
  { name: "command", path: ({ commandId }) => `/commands/${commandId}`, docs: ["light"] },
  { name: "rollouts", path: () => "/rollouts" },
  {
    name: "rollout",
    path: ({ rolloutId }) => `/rollouts/${rolloutId}`,
    prepare: (page) => page.locator("a.map-cell").first().waitFor(),
  },
  {
    name: "rollout-new",
    path: () => "/rollouts/new?selector=team%3Dshop&action=clear-cache",
    prepare: async (page) => {
      await page.getByText("This action declares no fields.").waitFor();
      await page.getByRole("button", { name: "Preview" }).click();
      await page.getByRole("table", { name: "Preview" }).waitFor();
    },
  },
  { name: "schedules", path: () => "/schedules" },
  {
    name: "schedule",
    path: ({ scheduleId }) => `/schedules/${scheduleId}`,
    docs: ["light"],
  },
  { name: "schedule-waiting", path: ({ waitingScheduleId }) => `/schedules/${waitingScheduleId}` },
  {
    name: "schedule-new",
    path: () => "/schedules/new?service=search-index&action=reindex",
    prepare: async (page) => {
      await page.getByLabel("Time zone").fill("Europe/Berlin");
      await page.getByLabel("Repeats").selectOption("cron");
      await page.getByLabel("Cron expression").fill("30 2 * 3 sun");
      await page.getByRole("table", { name: "Next runs" }).waitFor();
      await page.getByLabel("Books at once").waitFor();
    },
  },
  {
    name: "schedule-edit",
    path: ({ waitingScheduleId }) => `/schedules/${waitingScheduleId}/edit`,
  },
  { name: "approvals", path: () => "/approvals" },
  { name: "approvals-all", path: () => "/approvals?tab=all" },
  { name: "approval", path: ({ approvalId }) => `/approvals/${approvalId}`, docs: ["light"] },
  {
    name: "approve",
    path: ({ approvalId }) => `/approvals/${approvalId}`,
    prepare: (page) => page.getByRole("button", { name: "Approve" }).click(),
  },
  { name: "rollout-waiting", path: ({ waitingRolloutId }) => `/rollouts/${waitingRolloutId}` },
  { name: "policies", path: () => "/policies" },
  { name: "policy", path: ({ policyId }) => `/policies/${policyId}` },
  {
    name: "policy-new",
    path: () => "/policies",
    prepare: (page) => page.getByRole("button", { name: "Create policy" }).click(),
  },
  {
    name: "break-glass",
    path: ({ serviceId }) => `/services/${serviceId}/actions/restart`,
    prepare: async (page) => {
      await page.getByRole("button", { name: "Request approval …" }).click();
      await page.getByLabel(/^Break glass/).check();
    },
  },
  { name: "views", path: () => "/views" },
  { name: "services-view", path: () => "/services?status=UNHEALTHY" },
  { name: "registration-tokens", path: () => "/registration-tokens" },
  { name: "bus-routes", path: () => "/bus/routes" },
  { name: "bus-route", path: ({ routeId }) => `/bus/routes/${routeId}` },
  { name: "bus-route-new", path: () => "/bus/routes/new" },
  { name: "bus-events", path: () => "/bus/events" },
  { name: "bus-event", path: ({ eventId }) => `/bus/events/${eventId}` },
  { name: "audit", path: () => "/audit", docs: ["light"] },
  { name: "users", path: () => "/users" },
  { name: "api-keys", path: () => "/api-keys" },
  { name: "settings", path: () => "/settings" },
  { name: "account", path: () => "/account" },
];
