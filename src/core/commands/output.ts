// Reads the output of commands. (docs/decisions/0006-command-delivery.md)

import type { z } from "zod";
import type { commandOutputPage } from "../../api/shapes/output-schemas.ts";
import { hasEnded, isAgentGone, isEndUnknown } from "../../domain/commands/commands.ts";
import { found } from "../../domain/errors.ts";
import { commandOutput } from "../../domain/limits.ts";
import type { OutputPart } from "../../domain/output/output.ts";
import { partsAfter } from "../../domain/output/read.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { listPagesAfter } from "../../store/tables/commands/command-output.ts";
import { type FollowedCommand, findFollowedCommand } from "../../store/tables/commands/commands.ts";
import { outputKey } from "../changes/doorbell.ts";
import { waitForChange } from "../changes/wait-for-change.ts";
import type { Core, Ctx } from "../context.ts";

type Answer = z.output<typeof commandOutputPage>;

interface Wanted {
  /** An offset. The caller already has everything before it. */
  after: number;
  /** How many seconds to wait for output, or for the end of the command. */
  wait: number;
}

export function readOutput(ctx: Ctx, id: string, { after, wait }: Wanted): Promise<Answer> {
  return waitForChange(ctx, outputKey(id), wait * 1000, () => look(ctx.core, id, after));
}

async function look(core: Core, id: string, after: number) {
  const { read } = core.db;
  // Read first, so that the output of an ended command is complete.
  const command = found(await findFollowedCommand(read, id), "COMMAND_NOT_FOUND", `command ${id}`);
  const { pagesPerRead } = commandOutput;
  const pages = await listPagesAfter(read, id, after, pagesPerRead);
  const { status, isOutputOpen } = command;
  const isEnded = hasEnded(status);
  const { parts, next } = partsAfter(pages, after, isEnded);
  const completeInMs = completeIn(command, core.now());
  const complete = isEnded && pages.length < pagesPerRead && completeInMs <= 0;
  // A lost agent may have announced nothing yet.
  const isEndMissing = isOutputOpen || (next === 0 && isEndUnknown(command));
  if (complete && isEndMissing) parts.push({ kind: "LOST", offset: next, bytes: 0 });
  const answer: Answer = {
    commandId: id,
    status,
    parts: parts.map(toPart),
    nextOffset: next,
    complete,
  };
  return {
    answer,
    isFinal: answer.parts.length > 0 || complete,
    againInMs: isEnded ? completeInMs : Infinity,
  };
}

/** Returns for how many more milliseconds an ended command waits for output that was announced. */
function completeIn(
  { isOutputOpen, completedAt, errorCode }: FollowedCommand,
  now: number,
): number {
  if (!isOutputOpen || isAgentGone(errorCode)) return 0;
  // After the clock was set back, the end can be in the future. The wait must end nevertheless.
  const endedMs = Math.abs(now - (completedAt ?? now));
  return commandOutput.lateSeconds * 1000 - endedMs;
}

function toPart(part: OutputPart): Answer["parts"][number] {
  if (part.kind !== "TEXT") return part;
  const { kind, offset, bytes, stream, text, at } = part;
  return { kind, offset, bytes, stream, text, at: isoTime(at) };
}
