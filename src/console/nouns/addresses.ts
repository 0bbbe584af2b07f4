// Where the pages of each noun are. One that has none of its own is shown by the pages of any noun.

const own: Readonly<Record<string, string>> = {
  agents: "/agents",
  services: "/services",
  commands: "/commands",
  "registration-tokens": "/registration-tokens",
  users: "/users",
  "api-keys": "/api-keys",
  "bus-routes": "/bus/routes",
  "bus-events": "/bus/events",
};

/** Their lists show and do all there is. */
const listOnly = ["registration-tokens", "api-keys"];

export function hasOwnPages(noun: string): boolean {
  return Object.hasOwn(own, noun);
}

/** Whether there is a page for each one of them. */
export function hasPageOfOne(noun: string): boolean {
  return !listOnly.includes(noun);
}

export function listAddress(noun: string): string {
  return own[noun] ?? `/nouns/${noun}`;
}

/** The page of one; the list where there is none. */
export function addressOf(noun: string, id: string): string {
  const list = listAddress(noun);
  return hasPageOfOne(noun) ? `${list}/${id}` : list;
}

/** Where an action of a service is run. */
export function actionPath(serviceId: string, action: string): string {
  return `${addressOf("services", serviceId)}/actions/${encodeURIComponent(action)}`;
}
