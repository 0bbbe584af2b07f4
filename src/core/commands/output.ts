// Reads the output of commands. (docs/decisions/0006-command-delivery.md)

import type { z } from "zod";
import type { commandOutputPage } from "../../api/shapes/output-schemas.ts";
import { isTerminal } from "../../domain/commands.ts";
import { found } from "../../domain/errors.ts";
import { commandOutput } from "../../domain/limits.ts";
import type { OutputPart } from "../../domain/output/output.ts";
import { partsAfter } from "../../domain/output/read.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { listPagesAfter } from "../../store/tables/command-output.ts";
import { findReportedCommand } from "../../store/tables/commands.ts";
import type { Core, Ctx } from "../context.ts";
import { outputKey } from "../memory/doorbell.ts";

type Answer = z.output<typeof commandOutputPage>;

interface Wanted {
  /** A position; everything before it is known. */
  after: number;
  /** How many seconds to wait for output, or for the end of the command. */
  wait: number;
}

export async function readOutput(ctx: Ctx, id: string, { after, wait }: Wanted): Promise<Answer> {
  const { core } = ctx;
  const deadline = core.monotonic() + wait * 1000;
  const waiter = core.doorbell.register(outputKey(id), ctx.caller);
  try {
    while (true) {
      const answer = await look(core, id, after);
      if (answer.parts.length > 0 || answer.complete) return answer;
      const outcome = await waiter.wait(deadline - core.monotonic());
      if (outcome !== "rung") return answer;
    }
  } finally {
    waiter.close();
  }
}

async function look(core: Core, id: string, after: number): Promise<Answer> {
  const { read } = core.db;
  // Read first, so that the output of an ended command is all there.
  const command = await findReportedCommand(read, id);
  const { status } = found(command, "COMMAND_NOT_FOUND", `command ${id}`);
  const { pagesPerRead } = commandOutput;
  const pages = await listPagesAfter(read, id, after, pagesPerRead);
  const parts = partsAfter(pages, after);
  return {
    commandId: id,
    status,
    parts: parts.map(toPart),
    nextOffset: pages.at(-1)?.next ?? after,
    complete: isTerminal(status) && pages.length < pagesPerRead,
  };
}

function toPart(part: OutputPart): Answer["parts"][number] {
  return part.kind === "TEXT" ? { ...part, at: isoTime(part.at) } : part;
}
