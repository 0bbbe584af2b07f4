// The cells for commands that are more than plain text: the source, the error and the duration.

import { Link } from "react-router";
import type { CommandSummary } from "../client/command.ts";
import { useMe } from "../client/session.ts";
import { softBreaks } from "../components/text/soft-breaks.tsx";
import { duration } from "../format/time.ts";
import { addressOf } from "../nouns/addresses.ts";
import { texts } from "../texts/index.ts";

const words = texts.commands;

export const commandCells = {
  by: ({ source }: CommandSummary) => <CommandSource source={source} />,
  error: ({ errorCode, errorMessage }: CommandSummary) =>
    errorCode && <code title={errorMessage ?? undefined}>{errorCode}</code>,
  took: ({ durationMs }: CommandSummary) => durationMs !== null && duration(durationMs),
};

export function CommandSource({ source }: { source: CommandSummary["source"] }) {
  const { kind, name, routeId, rolloutId, scheduleId } = source;
  const { busEnabled } = useMe().installation;
  if (kind === "operator") return <>{softBreaks(name ?? words.unknownSource)}</>;
  if (kind === "rollout") {
    const rollout = name ? words.rolloutOf({ by: name }) : words.rollout;
    return rolloutId ? (
      <Link to={addressOf("rollouts", rolloutId)}>{softBreaks(rollout)}</Link>
    ) : (
      rollout
    );
  }
  if (kind === "schedule") {
    const schedule = name ? words.scheduleOf({ name }) : words.schedule;
    return scheduleId ? (
      <Link to={addressOf("schedules", scheduleId)}>{softBreaks(schedule)}</Link>
    ) : (
      schedule
    );
  }
  const route = words.bus({ route: name ?? routeId ?? "" });
  return busEnabled ? <Link to={`/bus/routes/${routeId}`}>{softBreaks(route)}</Link> : route;
}
