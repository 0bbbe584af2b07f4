// The table of pages: which address shows which file, and whom the navigation offers it to.

import type { ComponentType } from "react";
import type { Role } from "../client/session.ts";
import { hasOwnPages, listAddress } from "../nouns/addresses.ts";
import { type NounName, nouns } from "../nouns/nouns.ts";
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

type Group = keyof typeof texts.shell.groups;

const names = texts.shell.pages;

/** The list of a noun, by the role that it needs. */
function listOf(name: NounName, load: ConsolePage["load"], group: Group): ConsolePage {
  const noun = nouns[name];
  return { ...ofNoun(name, load, ""), nav: { text: noun.title, group } };
}

function ofNoun(name: NounName, load: ConsolePage["load"], rest: string): ConsolePage {
  const { access, bus } = nouns[name];
  return {
    path: `${listAddress(name)}${rest}`,
    load,
    ...(access.list ? { role: access.list } : {}),
    ...(bus ? { bus } : {}),
  };
}

/** Of nouns that have no pages of their own: all that their descriptions say. */
const others = (Object.keys(nouns) as NounName[])
  .filter((name) => !hasOwnPages(name))
  .map((name) => listOf(name, () => import("../nouns/any-list.tsx"), "administration"));

export const pages: ConsolePage[] = [
  {
    path: "/",
    load: () => import("../pages/overview/overview-page.tsx"),
    nav: { text: names.overview, group: "fleet" },
  },
  listOf("agents", () => import("../pages/agents/agent-list.tsx"), "fleet"),
  ofNoun("agents", () => import("../pages/agents/agent-detail.tsx"), "/:agentId"),
  listOf("services", () => import("../pages/services/service-list.tsx"), "fleet"),
  ofNoun("services", () => import("../pages/services/service-detail.tsx"), "/:serviceId"),
  {
    path: "/services/:serviceId/actions/:actionName",
    load: () => import("../pages/actions/action-page.tsx"),
    role: "operator",
  },
  listOf("commands", () => import("../pages/commands/command-list.tsx"), "fleet"),
  ofNoun("commands", () => import("../pages/commands/command-page.tsx"), "/:commandId"),
  listOf(
    "registration-tokens",
    () => import("../pages/registration-tokens/token-list.tsx"),
    "fleet",
  ),
  listOf("bus-routes", () => import("../pages/bus/routes/route-list.tsx"), "bus"),
  {
    ...ofNoun("bus-routes", () => import("../pages/bus/routes/route-new.tsx"), "/new"),
    role: "operator",
  },
  ofNoun("bus-routes", () => import("../pages/bus/routes/route-page.tsx"), "/:routeId"),
  listOf("bus-events", () => import("../pages/bus/events/list.tsx"), "bus"),
  ofNoun("bus-events", () => import("../pages/bus/events/page.tsx"), "/:eventId"),
  {
    path: "/audit",
    load: () => import("../pages/audit/audit-page.tsx"),
    nav: { text: names.audit, group: "administration" },
  },
  listOf("users", () => import("../pages/users/user-list.tsx"), "administration"),
  ofNoun("users", () => import("../pages/users/user-detail.tsx"), "/:userId"),
  listOf("api-keys", () => import("../pages/api-keys/api-key-list.tsx"), "administration"),
  ...others,
  { path: "/nouns/:noun", load: () => import("../nouns/any-list.tsx") },
  { path: "/nouns/:noun/:id", load: () => import("../nouns/any-one.tsx") },
  {
    path: "/settings",
    load: () => import("../pages/settings/settings-page.tsx"),
    nav: { text: names.settings, group: "administration" },
  },
  { path: "/account", load: () => import("../pages/account/account-page.tsx") },
];
