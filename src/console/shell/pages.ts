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
    path: "/agents",
    load: () => import("../pages/agents/agent-list.tsx"),
    nav: { text: names.agents, group: "fleet" },
  },
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
];
