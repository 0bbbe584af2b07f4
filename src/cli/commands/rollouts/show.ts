import { leftOutText } from "../../../api/contract/cells.ts";
import type { Reply } from "../../../api/index.ts";
import type { JsonObject } from "../../../domain/payload/json.ts";
import { counted } from "../../../lib/counted.ts";
import { printRow } from "../../nouns/view.ts";
import { firstNames } from "../../output/first-names.ts";
import { isForPeople, type OutputOptions, section } from "../../output/output.ts";
import { printableLine } from "../../output/printable.ts";
import { aligned, wrapLines } from "../../output/text-width.ts";
import { valueSection } from "../../output/values.ts";
import type { Io } from "../../terminal/io.ts";

export type RolloutDetail = Reply<"rollouts.get">;

/** Also says how a paused rollout is continued. */
export function showRollout(io: Io, options: OutputOptions, rollout: RolloutDetail): void {
  printRollout(io, options, rollout);
  if (rollout.state === "PAUSED" && isForPeople(options)) io.note(`\n${toContinue(rollout)}\n`);
}

export function toContinue({ id, stateReason }: RolloutDetail): string {
  const what =
    stateReason === "APPROVAL_REQUIRED"
      ? "Policies require approval for the rest. To ask for it"
      : "To continue";
  return `${what}: platformctl rollouts resume ${id}`;
}

/** Adds the waves and the rules. */
export function printRollout(io: Io, options: OutputOptions, rollout: RolloutDetail): void {
  printRow(io, options, "rollouts", rollout, () => {
    const { payload } = rollout;
    return [
      `\nwaves\n${wavesText(rollout)}`,
      wrapLines(leftOutSection(rollout), io.width),
      valueSection(io, "rules", rulesOf(rollout)),
      Object.keys(payload).length === 0 ? "" : section("payload", payload),
    ];
  });
}

/** Older servers do not return `leftOut`. */
function leftOutSection({ leftOut }: Pick<RolloutDetail, "leftOut">): string {
  if (!leftOut?.total) return "";
  const { total, services } = leftOut;
  const more = total > services.length ? `  and ${total - services.length} more\n` : "";
  return `\n${leftOutText(leftOut)}\n${byReason(services)}${more}`;
}

type LeftOut = NonNullable<RolloutDetail["leftOut"]>["services"];

/** Returns a line for each reason, with the services. */
export function byReason(leftOut: LeftOut): string {
  const groups = Map.groupBy(leftOut, anonymous);
  const lines = [...groups].map(([reason, services]) => {
    const [{ message } = { message: "" }, ...others] = services;
    const names = services.map(({ serviceCode }) => serviceCode);
    return `  ${listed(names)}: ${printableLine(others.length > 0 ? reason : message)}\n`;
  });
  return lines.join("");
}

/** `The agent was stopped.` for `The agent web-1 was stopped.` */
function anonymous({ message, agentCode }: LeftOut[number]): string {
  return message.replace(`agent ${agentCode}`, "agent");
}

/** Names the services of a wave or a reason. */
export function listed(names: readonly string[]): string {
  return firstNames(names, 10);
}

/** Marks the current wave of a rollout that has not ended. */
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

function rulesOf(rollout: RolloutDetail): JsonObject {
  const { canary, deadlineAt, nextWaveAt } = rollout;
  return {
    // Older servers do not return this field.
    ...(canary ? { canary } : {}),
    ...rulesInWords(rollout),
    ...(deadlineAt === null ? {} : { deadline: deadlineAt }),
    ...(nextWaveAt === null ? {} : { "next wave": nextWaveAt }),
  };
}

type Rules = Pick<
  RolloutDetail,
  "choice" | "maxParallel" | "maxFailures" | "between" | "offline" | "healthTimeoutSeconds"
> & { ifUnchanged?: boolean };

/** Also describes the content of a request for approval. */
export function rulesInWords(rules: Rules): JsonObject {
  const { choice, maxParallel, maxFailures, between, offline } = rules;
  const { healthTimeoutSeconds, ifUnchanged } = rules;
  return {
    "chosen by": choiceInWords(choice),
    parallel: maxParallel,
    "max failures": maxFailures,
    between: typeof between === "number" ? `${between}s` : between,
    offline,
    ...(healthTimeoutSeconds === null ? {} : { "healthy within": `${healthTimeoutSeconds}s` }),
    ...(ifUnchanged ? { "if unchanged": "yes" } : {}),
  };
}

/** `selector tier=web; status HEALTHY`. Null if a request for approval does not have the choice. */
function choiceInWords(choice: Rules["choice"] | undefined): string | null {
  const parts = Object.entries(choice ?? {}).map(([by, value]) =>
    value === "" ? "an empty selector (all services)" : `${by} ${[value].flat().join(", ")}`,
  );
  return parts.length === 0 ? null : parts.join("; ");
}
