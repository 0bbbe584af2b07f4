// The URLs of each noun's pages.

import type { NounName } from "../../api/contract/nouns.ts";

const lists: Readonly<Record<string, string>> = {
  agents: "/agents",
  services: "/services",
  commands: "/commands",
  rollouts: "/rollouts",
  schedules: "/schedules",
  approvals: "/approvals",
  "approval-policies": "/policies",
  "saved-views": "/views",
  "registration-tokens": "/registration-tokens",
  users: "/users",
  "api-keys": "/api-keys",
  nodes: "/settings?tab=nodes",
  "bus-routes": "/bus/routes",
  "bus-events": "/bus/events",
} satisfies Record<NounName, string>;

/** Nouns whose objects have no page of their own, because the list shows everything. */
const listOnly = ["registration-tokens", "api-keys", "nodes", "saved-views"];

export function hasPageOfOne(noun: string): boolean {
  return !listOnly.includes(noun);
}

/** For an unknown noun, such as one of a newer server, no page has the returned path. */
export function listAddress(noun: string): string {
  return lists[noun] ?? `/nouns/${noun}`;
}

/** Returns the path of an object's page, or of the list if objects of the noun have no page. */
export function addressOf(noun: string, id: string): string {
  const list = listAddress(noun);
  return hasPageOfOne(noun) ? `${list}/${id}` : list;
}

export function actionPath(serviceId: string, action: string): string {
  return `${addressOf("services", serviceId)}/actions/${encodeURIComponent(action)}`;
}

/** Whether a text from an agent is exactly the path of an object's page. */
export function isPageOfNoun(text: string): boolean {
  return Object.values(lists).some(
    (list) => text.startsWith(`${list}/`) && /^[\w-]+$/.test(text.slice(list.length + 1)),
  );
}

/** Returns the path of the command that was created, or of the request for its approval. */
export function madePath({
  command,
  approval,
}: {
  command: { id: string } | null;
  approval: { id: string } | null;
}): string {
  return command ? addressOf("commands", command.id) : addressOf("approvals", approval?.id ?? "");
}
