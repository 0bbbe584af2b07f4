// The table of pages: their paths, their files, and their places in the navigation.

import { LayoutDashboard, type LucideIcon, ScrollText, Settings } from "lucide-react";
import type { ComponentType } from "react";
import type { Noun } from "../../api/contract/noun.ts";
import type { Role } from "../../domain/access/principals.ts";
import { PendingCount } from "../approvals/pending-count.tsx";
import { listAddress } from "../nouns/addresses.ts";
import { iconOf } from "../nouns/icons.ts";
import { nouns } from "../nouns/nouns.ts";
import { texts } from "../texts/index.ts";
import { readList, readOne, readOverview } from "./early-data.ts";

type Group = keyof typeof texts.shell.groups;

export interface ConsolePage {
  path: string;
  /** The file must export `Component`. */
  load: () => Promise<{ Component: ComponentType }>;
  /** Called in parallel with `load`. */
  read?: (params: Readonly<Record<string, string | undefined>>, search: string) => void;
  /** The role that the page requires; viewer if absent. */
  role?: Role | undefined;
  /** Whether the page exists only while the event bus is on. */
  bus?: true | undefined;
  /** `Badge` is shown next to the text. */
  nav?: { text: string; group: Group; Icon: LucideIcon; Badge?: ComponentType };
}

const names = texts.shell.pages;

/** Returns a page for users who may list the noun. `rest` follows the path of the list. */
function ofNoun(noun: Noun, load: ConsolePage["load"], rest: string): ConsolePage {
  const path = `${listAddress(noun.noun)}${rest}`;
  return { path, load, role: noun.access.list, bus: noun.bus };
}

function listOf(
  noun: Noun,
  load: ConsolePage["load"],
  group: Group,
  badge: Pick<NonNullable<ConsolePage["nav"]>, "Badge"> = {},
): ConsolePage {
  const nav = { text: noun.title, group, Icon: iconOf(noun), ...badge };
  return { ...ofNoun(noun, load, ""), nav };
}

export const pages: ConsolePage[] = [
  {
    path: "/",
    load: () => import("../pages/overview/overview-page.tsx"),
    read: readOverview,
    nav: { text: names.overview, group: "fleet", Icon: LayoutDashboard },
  },
  {
    ...listOf(nouns.agents, () => import("../pages/agents/agent-list.tsx"), "fleet"),
    read: readList(nouns.agents),
  },
  {
    ...ofNoun(nouns.agents, () => import("../pages/agents/agent-page.tsx"), "/:agentId"),
    read: readOne(nouns.agents),
  },
  {
    ...listOf(nouns.services, () => import("../pages/services/service-list.tsx"), "fleet"),
    read: readList(nouns.services),
  },
  {
    ...ofNoun(nouns.services, () => import("../pages/services/service-page.tsx"), "/:serviceId"),
    read: readOne(nouns.services),
  },
  {
    path: "/services/:serviceId/actions/:actionName",
    load: () => import("../pages/actions/action-page.tsx"),
    role: "operator",
  },
  listOf(nouns.commands, () => import("../pages/commands/command-list.tsx"), "fleet"),
  ofNoun(nouns.commands, () => import("../pages/commands/command-page.tsx"), "/:commandId"),
  {
    ...listOf(nouns.rollouts, () => import("../pages/rollouts/rollout-list.tsx"), "fleet"),
    read: readList(nouns.rollouts),
  },
  {
    ...ofNoun(nouns.rollouts, () => import("../pages/rollouts/new/rollout-new.tsx"), "/new"),
    role: "operator",
  },
  ofNoun(nouns.rollouts, () => import("../pages/rollouts/rollout-page.tsx"), "/:rolloutId"),
  {
    ...ofNoun(
      nouns.rollouts,
      () => import("../pages/rollouts/retry/rollout-retry.tsx"),
      "/:rolloutId/retry",
    ),
    role: "operator",
  },
  {
    ...listOf(nouns.schedules, () => import("../pages/schedules/schedule-list.tsx"), "fleet"),
    read: readList(nouns.schedules),
  },
  {
    ...ofNoun(nouns.schedules, () => import("../pages/schedules/edit/schedule-new.tsx"), "/new"),
    role: "operator",
  },
  ofNoun(nouns.schedules, () => import("../pages/schedules/schedule-page.tsx"), "/:scheduleId"),
  {
    ...ofNoun(
      nouns.schedules,
      () => import("../pages/schedules/edit/schedule-edit.tsx"),
      "/:scheduleId/edit",
    ),
    role: "operator",
  },
  listOf(nouns.approvals, () => import("../pages/approvals/approval-list.tsx"), "fleet", {
    Badge: PendingCount,
  }),
  ofNoun(nouns.approvals, () => import("../pages/approvals/approval-page.tsx"), "/:approvalId"),
  listOf(
    nouns["registration-tokens"],
    () => import("../pages/registration-tokens/token-list.tsx"),
    "fleet",
  ),
  listOf(nouns["bus-routes"], () => import("../pages/bus/routes/route-list.tsx"), "bus"),
  {
    ...ofNoun(nouns["bus-routes"], () => import("../pages/bus/routes/route-new.tsx"), "/new"),
    role: "operator",
  },
  ofNoun(nouns["bus-routes"], () => import("../pages/bus/routes/route-page.tsx"), "/:routeId"),
  listOf(nouns["bus-events"], () => import("../pages/bus/events/list.tsx"), "bus"),
  ofNoun(nouns["bus-events"], () => import("../pages/bus/events/page.tsx"), "/:eventId"),
  {
    path: "/audit",
    load: () => import("../pages/audit/audit-page.tsx"),
    nav: { text: names.audit, group: "administration", Icon: ScrollText },
  },
  listOf(nouns.users, () => import("../pages/users/user-list.tsx"), "administration"),
  ofNoun(nouns.users, () => import("../pages/users/user-page.tsx"), "/:userId"),
  listOf(nouns["api-keys"], () => import("../pages/api-keys/api-key-list.tsx"), "administration"),
  listOf(
    nouns["approval-policies"],
    () => import("../pages/policies/policy-list.tsx"),
    "administration",
  ),
  ofNoun(
    nouns["approval-policies"],
    () => import("../pages/policies/policy-page.tsx"),
    "/:policyId",
  ),
  listOf(nouns["saved-views"], () => import("../pages/views/view-list.tsx"), "administration"),
  { path: "/nouns/:noun/:id", load: () => import("../nouns/any-one.tsx") },
  {
    path: "/settings",
    load: () => import("../pages/settings/settings-page.tsx"),
    nav: { text: names.settings, group: "administration", Icon: Settings },
  },
  { path: "/account", load: () => import("../pages/account/account-page.tsx") },
];
