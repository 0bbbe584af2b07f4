// The table of pages: which address shows which file, and whom the navigation offers it to.

import type { ComponentType } from "react";
import type { Role } from "../client/session.ts";
import { texts } from "../texts/index.ts";

export interface ConsolePage {
  /** From the root, as React Router writes it. */
  path: string;
  /** Its file exports a component of the name `Component`. */
  load: () => Promise<{ Component: ComponentType }>;
  /** Who may see it; a viewer when absent. */
  role?: Role;
  /** Not there while the event bus is off. */
  bus?: true;
  /** Its place in the navigation; absent for what is reached from there. */
  nav?: { text: string; group: keyof typeof texts.shell.groups };
}

const names = texts.shell.pages;

export const pages: ConsolePage[] = [
  {
    path: "/",
    load: () => import("../pages/overview/overview-page.tsx"),
    nav: { text: names.overview, group: "fleet" },
  },
  {
    path: "/agents",
    load: () => import("../pages/agents/agent-list.tsx"),
    nav: { text: names.agents, group: "fleet" },
  },
  { path: "/agents/:agentId", load: () => import("../pages/agents/agent-detail.tsx") },
  {
    path: "/services",
    load: () => import("../pages/services/service-list.tsx"),
    nav: { text: names.services, group: "fleet" },
  },
  { path: "/services/:serviceId", load: () => import("../pages/services/service-detail.tsx") },
  {
    path: "/services/:serviceId/actions/:actionName",
    load: () => import("../pages/actions/action-page.tsx"),
    role: "operator",
  },
  {
    path: "/commands",
    load: () => import("../pages/commands/command-list.tsx"),
    nav: { text: names.commands, group: "fleet" },
  },
  {
    path: "/commands/:commandId",
    load: () => import("../pages/commands/command-page.tsx"),
  },
  {
    path: "/registration-tokens",
    load: () => import("../pages/registration-tokens/token-list.tsx"),
    nav: { text: names.tokens, group: "fleet" },
  },
  {
    path: "/bus/routes",
    load: () => import("../pages/bus/routes/route-list.tsx"),
    bus: true,
    nav: { text: names.routes, group: "bus" },
  },
  {
    path: "/bus/routes/new",
    load: () => import("../pages/bus/routes/route-new.tsx"),
    role: "operator",
    bus: true,
  },
  {
    path: "/bus/routes/:routeId",
    load: () => import("../pages/bus/routes/route-page.tsx"),
    bus: true,
  },
  {
    path: "/bus/events",
    load: () => import("../pages/bus/events/list.tsx"),
    bus: true,
    nav: { text: names.events, group: "bus" },
  },
  { path: "/bus/events/:eventId", load: () => import("../pages/bus/events/page.tsx"), bus: true },
  {
    path: "/audit",
    load: () => import("../pages/audit/audit-page.tsx"),
    nav: { text: names.audit, group: "administration" },
  },
  {
    path: "/users",
    load: () => import("../pages/users/user-list.tsx"),
    role: "owner",
    nav: { text: names.users, group: "administration" },
  },
  {
    path: "/users/:userId",
    load: () => import("../pages/users/user-detail.tsx"),
    role: "owner",
  },
  {
    path: "/api-keys",
    load: () => import("../pages/api-keys/api-key-list.tsx"),
    role: "owner",
    nav: { text: names.apiKeys, group: "administration" },
  },
  {
    path: "/settings",
    load: () => import("../pages/settings/settings-page.tsx"),
    nav: { text: names.settings, group: "administration" },
  },
  { path: "/account", load: () => import("../pages/account/account-page.tsx") },
];
