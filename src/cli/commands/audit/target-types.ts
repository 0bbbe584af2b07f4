// Short names on the command line for target types of the audit trail.

/** Typed name to type. `route` is not among them, because the trail has a type of that name. */
export const shortTargetTypes: Readonly<Record<string, string>> = {
  key: "api_key",
  token: "registration_token",
};

/** A hint if the type is easily confused with another. */
export function mistakableType(type: string | undefined): string | null {
  if (type !== "route") return null;
  return "The type route is a path of the API that was denied; a route of the bus is a bus_route.";
}
