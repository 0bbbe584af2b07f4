// Stores the output that agents send while their commands run.
// (docs/decisions/0006-command-delivery.md)

import type { AgentPrincipal } from "../../domain/access/principals.ts";
import { hasEnded } from "../../domain/commands/commands.ts";
import { AppError } from "../../domain/errors.ts";
import { commandOutput } from "../../domain/limits.ts";
import { type Appended, appendOutput, droppedPages } from "../../domain/output/append.ts";
import type { OutputChunk, OutputPage } from "../../domain/output/output.ts";
import { Scrubber } from "../../domain/secrets/scrubber.ts";
import { jsonEqual } from "../../lib/json/json-equal.ts";
import type { Tx } from "../../store/database.ts";
import {
  deletePages,
  findLastPage,
  insertPage,
  updatePage,
} from "../../store/tables/commands/command-output.ts";
import {
  findWritingCommand,
  setOutputState,
  type WritingCommand,
} from "../../store/tables/commands/commands.ts";
import { recheckAgent } from "../access/credentials.ts";
import { noteChange } from "../changes/changes.ts";
import type { Core, Ctx } from "../context.ts";

interface Sent {
  chunks: readonly OutputChunk[];
  end?: boolean | undefined;
}

/**
 * Returns the offset at which the agent must continue. Chunks that are already stored are ignored.
 */
export async function takeOutput(
  { core }: Ctx,
  agent: AgentPrincipal,
  commandId: string,
  { chunks, end }: Sent,
) {
  const nextOffset = await core.outputIntake.take(agent.agentId, () =>
    core.db.write(async (tx) => {
      const [command, last] = await Promise.all([
        findWritingCommand(tx, commandId),
        findLastPage(tx, commandId),
        recheckAgent(tx, agent),
      ]);
      if (command?.agentId !== agent.agentId) {
        throw new AppError("COMMAND_NOT_FOUND", `This agent has no command ${commandId}.`);
      }
      requireWriting(command, tx.now);
      const isEnd = hasEnded(command.status);
      // The secrets were deleted when the command ended, so they can no longer be removed from the
      // text.
      const isUnsafe = isEnd && command.withheld.length > 0;
      const appended = appendOutput({
        last,
        held: command.heldOutput,
        chunks: isUnsafe ? withoutText(chunks) : chunks,
        scrubber: new Scrubber(command.secrets ?? []),
        isEnd,
        now: tx.now,
      });
      const isOpen = end === undefined ? command.isOutputOpen : !end;
      await store(core, tx, { command, last, isOpen, ...appended });
      return (appended.pages.at(-1) ?? last)?.next ?? 0;
    }),
  );
  return { commandId, nextOffset };
}

/** Throws unless the command is running or has ended only a short time ago. */
function requireWriting(command: WritingCommand, now: number): void {
  const { id: commandId, status, type, startedAt, completedAt } = command;
  const details = { commandId, status, type };
  if (type !== "ACTION_EXECUTE") {
    throw new AppError("COMMAND_NOT_RUNNING", "Only commands that run an action have output.", {
      details,
    });
  }
  if (status === "RUNNING") return;
  if (!hasEnded(status)) {
    throw new AppError(
      "COMMAND_NOT_RUNNING",
      "The command has not been delivered yet: poll for it before you send its output.",
      { details },
    );
  }
  const { graceSeconds } = commandOutput;
  const isLate = (completedAt ?? 0) + graceSeconds * 1000 < now;
  if (!isLate && startedAt !== null) return;
  const message =
    startedAt === null
      ? `The command ended as ${status}, and was never delivered.`
      : `The command ended more than ${graceSeconds} s ago, as ${status}.`;
  throw new AppError("COMMAND_ALREADY_COMPLETED", message, { details });
}

/** Keeps only the end of the last chunk, so that the text counts as lost. */
function withoutText(chunks: readonly OutputChunk[]): OutputChunk[] {
  const last = chunks.at(-1);
  return last ? [{ ...last, offset: last.offset + Buffer.byteLength(last.text), text: "" }] : [];
}

interface Change extends Appended {
  command: WritingCommand;
  last: OutputPage | null;
  /** Whether the agent has announced more output. */
  isOpen: boolean;
}

async function store(core: Core, tx: Tx, change: Change): Promise<void> {
  const { command, last, pages, held, isOpen, bytes } = change;
  const commandId = command.id;
  const end = pages.at(-1);
  const isSame = isOpen === command.isOutputOpen && jsonEqual(held, command.heldOutput);
  if (!isSame) await setOutputState(tx, commandId, held, isOpen);
  if (end || !isSame) noteChange(core, tx, "output", commandId);
  if (!end) return;
  for (const page of pages) {
    if (page.number === last?.number) await updatePage(tx, commandId, page);
    else await insertPage(tx, commandId, page);
  }
  const dropped = droppedPages(end.number);
  if (end.number !== last?.number && dropped.before > dropped.from) {
    await deletePages(tx, commandId, dropped);
  }
  tx.afterCommit(() => core.counters.add("commandOutputBytes", bytes));
}
