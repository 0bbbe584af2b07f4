// What something was done to, as a link to its page where it has one that the reader may see.

import { Link } from "react-router";
import { useMay, useMe } from "../../client/session.ts";

interface Place {
  path: (id: string) => string;
  role?: "owner";
  bus?: true;
}

const places: Readonly<Record<string, Place>> = {
  agent: { path: (id) => `/agents/${id}` },
  service: { path: (id) => `/services/${id}` },
  command: { path: (id) => `/commands/${id}` },
  registration_token: { path: () => "/registration-tokens" },
  bus_route: { path: (id) => `/bus/routes/${id}`, bus: true },
  bus_event: { path: (id) => `/bus/events/${id}`, bus: true },
  user: { path: (id) => `/users/${id}`, role: "owner" },
  api_key: { path: () => "/api-keys", role: "owner" },
};

export function TargetLink({ type, id }: { type: string; id: string | null }) {
  const { busEnabled } = useMe().installation;
  const isOwner = useMay("owner");
  const kind = <span className="muted small">{type}</span>;
  if (id === null) return kind;
  const place = places[type];
  const isOpen = place && (!place.bus || busEnabled) && (place.role !== "owner" || isOwner);
  return (
    <span>
      {kind} {isOpen ? <Link to={place.path(id)}>{id}</Link> : id}
    </span>
  );
}
