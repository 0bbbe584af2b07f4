import type { Reply } from "../../../api/index.ts";
import { counted } from "../../../lib/counted.ts";
import { printRow } from "../../nouns/view.ts";
import { type OutputOptions, section } from "../../output/output.ts";
import { aligned } from "../../output/text-width.ts";
import type { Io } from "../../terminal/io.ts";

export type RolloutDetail = Reply<"rollouts.get">;

/** Adds the waves and the rules. */
export function printRollout(io: Io, options: OutputOptions, rollout: RolloutDetail): void {
  printRow(io, options, "rollouts", rollout, () => {
    const { payload } = rollout;
    return [
      `\nwaves\n${wavesText(rollout)}`,
      section("rules", rulesOf(rollout)),
      Object.keys(payload).length === 0 ? "" : section("payload", payload),
    ];
  });
}

/** The current wave of a rollout that has not ended is marked. */
function wavesText({ waves, wave, completedAt }: RolloutDetail): string {
  const lines = waves.map(({ size, targets }, at): [string, string] => {
    const states = Object.entries(targets).filter(([, count]) => count > 0);
    const inWords = states.map(([state, count]) => `${count} ${state}`).join(", ");
    return [
      `${completedAt === null && at + 1 === wave ? ">" : " "} ${at + 1}`,
      `${counted(size, "service")}: ${inWords}`,
    ];
  });
  return aligned(lines)
    .map((line) => `  ${line}\n`)
    .join("");
}

function rulesOf(rollout: RolloutDetail): Record<string, unknown> {
  const { choice, canary, maxParallel, maxFailures, between, offline } = rollout;
  const { healthTimeoutSeconds, deadlineAt, nextWaveAt, ifUnchanged } = rollout;
  return {
    "chosen by": choice,
    // Older servers do not know it.
    ...(canary ? { canary } : {}),
    parallel: maxParallel,
    "max failures": maxFailures,
    between: typeof between === "number" ? `${between}s` : between,
    offline,
    ...(healthTimeoutSeconds === null ? {} : { "healthy within": `${healthTimeoutSeconds}s` }),
    ...(ifUnchanged ? { "if unchanged": "yes" } : {}),
    ...(deadlineAt === null ? {} : { deadline: deadlineAt }),
    ...(nextWaveAt === null ? {} : { "next wave": nextWaveAt }),
  };
}
