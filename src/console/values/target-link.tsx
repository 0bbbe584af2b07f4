// What something was done to, as a link to its page where it has one that the reader may see.

import type { ReactNode } from "react";
import { Link } from "react-router";
import { useMay, useMe } from "../client/session.ts";
import { shortId } from "../format/ids.ts";

interface Target {
  targetType: string;
  targetId: string | null;
}

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

/** The words are a link where there is a page. */
export function ToTarget({ of, children }: { of: Target; children: ReactNode }) {
  const { busEnabled } = useMe().installation;
  const isOwner = useMay("owner");
  const { targetType, targetId } = of;
  const place = places[targetType];
  const isOpen = place && (!place.bus || busEnabled) && (place.role !== "owner" || isOwner);
  if (targetId === null || !isOpen) return <>{children}</>;
  return <Link to={place.path(targetId)}>{children}</Link>;
}

interface TargetLinkProps {
  of: Target;
  /** What it is called, in the place of its short id. */
  name?: string | null;
  /** There is room for the whole id. */
  whole?: boolean;
}

/** Its kind, and its name or its id. */
export function TargetLink({ of, name, whole = false }: TargetLinkProps) {
  const { targetType, targetId } = of;
  return (
    <span>
      <span className="muted small">{targetType}</span>{" "}
      {targetId !== null && (
        <ToTarget of={of}>
          {whole ? targetId : <span title={targetId}>{name ?? shortId(targetId)}</span>}
        </ToTarget>
      )}
    </span>
  );
}
