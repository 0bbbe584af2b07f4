// What the command line calls the things of the audit trail, where the trail has a longer word.

/** As it is typed, and as the trail has it. `route` is none of them: the trail has that word itself. */
export const shortTargetTypes: Readonly<Record<string, string>> = {
  key: "api_key",
  token: "registration_token",
};

/** A hint for who means something else by this type, else null. */
export function mistakableType(type: string | undefined): string | null {
  if (type !== "route") return null;
  return "The type route is a path of the API that was denied; a route of the bus is a bus_route.";
}
