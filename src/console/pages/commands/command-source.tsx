// Who asked for a command: somebody, or a route of the event bus.

import { Link } from "react-router";
import type { CommandSummary } from "../../client/command.ts";
import { texts } from "../../texts/index.ts";

const words = texts.commands;

export function CommandSource({ source }: { source: CommandSummary["source"] }) {
  const { kind, name, routeId } = source;
  if (kind === "operator") return <>{name ?? words.unknownSource}</>;
  return <Link to={`/bus/routes/${routeId}`}>{words.bus(name ?? routeId ?? "")}</Link>;
}
