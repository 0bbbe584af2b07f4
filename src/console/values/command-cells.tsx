// Cells of commands that need more than plain text: the source, the error and the duration.

import type { CommandSummary } from "../client/command.ts";
import { softBreaks } from "../components/text/soft-breaks.tsx";
import { duration } from "../format/time.ts";
import { NounLink } from "../nouns/noun-link.tsx";
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
  if (kind === "operator") return <>{softBreaks(name ?? words.unknownSource)}</>;
  const origins = {
    bus: ["bus-routes", routeId, words.bus({ route: name ?? routeId ?? "" })],
    rollout: ["rollouts", rolloutId, name ? words.rolloutOf({ by: name }) : words.rollout],
    schedule: ["schedules", scheduleId, name ? words.scheduleOf({ name }) : words.schedule],
  } as const;
  const [noun, id, text] = origins[kind];
  if (!id) return <>{softBreaks(text)}</>;
  return (
    <NounLink to={noun} id={id}>
      {text}
    </NounLink>
  );
}
