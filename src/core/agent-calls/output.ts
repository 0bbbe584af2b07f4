// Stores the output that agents send while their commands run.
// (docs/decisions/0006-command-delivery.md)

import { isTerminal } from "../../domain/commands.ts";
import { AppError } from "../../domain/errors.ts";
import { commandOutput } from "../../domain/limits.ts";
import { appendOutput, droppedPages } from "../../domain/output/append.ts";
import type { OutputChunk, OutputPage } from "../../domain/output/output.ts";
import { TextSecrets } from "../../domain/payload/text-secrets.ts";
import type { AgentPrincipal } from "../../domain/principals.ts";
import type { Tx } from "../../store/database.ts";
import {
  deletePages,
  findLastPage,
  insertPage,
  updatePage,
} from "../../store/tables/command-output.ts";
import { findWritingCommand, type WritingCommand } from "../../store/tables/commands.ts";
import type { Core, Ctx } from "../context.ts";
import { noteChange } from "../memory/changes.ts";
import { recheckAgent } from "../memory/credentials.ts";

/** Returns the position at which the agent must continue, whatever of the chunks was new. */
export async function takeOutput(
  { core }: Ctx,
  agent: AgentPrincipal,
  commandId: string,
  chunks: readonly OutputChunk[],
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
      const secrets = new TextSecrets(command.secrets ?? []);
      // The secrets were deleted when the command ended, so the text could contain them.
      const isUnsafe = isTerminal(command.status) && command.withheld.length > 0;
      const known = isUnsafe ? withoutText(chunks) : chunks;
      const pages = appendOutput(last, known, secrets, tx.now);
      await store(core, tx, { commandId, last, pages });
      return (pages.at(-1) ?? last)?.next ?? 0;
    }, agent),
  );
  return { commandId, nextOffset };
}

/** Throws if the command does not run, except for a short time after its end. */
function requireWriting(command: WritingCommand, now: number): void {
  const { id: commandId, status, type, startedAt, completedAt } = command;
  const details = { commandId, status, type };
  if (type !== "ACTION_EXECUTE") {
    throw new AppError("COMMAND_NOT_RUNNING", "Only commands that run an action have output.", {
      details,
    });
  }
  if (status === "RUNNING") return;
  if (!isTerminal(status)) {
    throw new AppError(
      "COMMAND_NOT_RUNNING",
      "The command was not delivered yet: get it by a poll before you send its output.",
      { details },
    );
  }
  const { graceSeconds } = commandOutput;
  const isLate = (completedAt ?? 0) + graceSeconds * 1000 < now;
  if (!isLate && startedAt !== null) return;
  const message =
    startedAt === null
      ? `The command has ended as ${status}, and was never delivered.`
      : `The command has ended as ${status}, more than ${graceSeconds} s ago.`;
  throw new AppError("COMMAND_ALREADY_COMPLETED", message, { details });
}

/** What is left counts as lost. */
function withoutText(chunks: readonly OutputChunk[]): OutputChunk[] {
  const last = chunks.at(-1);
  return last ? [{ ...last, offset: last.offset + Buffer.byteLength(last.text), text: "" }] : [];
}

interface Change {
  commandId: string;
  last: OutputPage | null;
  pages: readonly OutputPage[];
}

async function store(core: Core, tx: Tx, { commandId, last, pages }: Change): Promise<void> {
  const end = pages.at(-1);
  if (!end) return;
  for (const page of pages) {
    if (page.number === last?.number) await updatePage(tx, commandId, page);
    else await insertPage(tx, commandId, page);
  }
  const dropped = droppedPages(end.number);
  if (end.number !== last?.number && dropped.before > dropped.from) {
    await deletePages(tx, commandId, dropped);
  }
  const bytes = bytesSince(last?.next ?? 0, pages);
  tx.afterCommit(() => core.counters.add("commandOutputBytes", bytes));
  noteChange(core, tx, "output", commandId);
}

function bytesSince(position: number, pages: readonly OutputPage[]): number {
  return pages
    .flatMap(({ parts }) => parts)
    .filter(({ kind, offset }) => kind === "TEXT" && offset >= position)
    .reduce((sum, { bytes }) => sum + bytes, 0);
}
