// Short names on the command line for target types in the audit trail.

/** `route` is not a short name, because the trail has a type with that name. */
export const shortTargetTypes: Readonly<Record<string, string>> = {
  key: "api_key",
  token: "registration_token",
};

export function mistakableType(type: string | undefined): string | null {
  if (type !== "route") return null;
  return "The type route means an API path that was denied; an event bus route has the type bus_route.";
}
