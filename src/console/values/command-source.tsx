// Who asked for a command: somebody, or a route of the event bus.

import { Link } from "react-router";
import type { CommandSummary } from "../client/command.ts";
import { useMe } from "../client/session.ts";
import { texts } from "../texts/index.ts";

const words = texts.commands;

export function CommandSource({ source }: { source: CommandSummary["source"] }) {
  const { kind, name, routeId } = source;
  const { busEnabled } = useMe().installation;
  if (kind === "operator") return <>{name ?? words.unknownSource}</>;
  const route = words.bus(name ?? routeId ?? "");
  return busEnabled ? <Link to={`/bus/routes/${routeId}`}>{route}</Link> : route;
}
