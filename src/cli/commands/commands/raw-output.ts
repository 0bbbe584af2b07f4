// `-o output`: standard output gets only what the action wrote to its own standard output.

import { hasEnded } from "../../../domain/commands/commands.ts";
import { oneTimeSecretSeconds } from "../../../domain/limits.ts";
import type { Json } from "../../../domain/payload/json.ts";
import { redacted } from "../../../domain/secrets/redaction.ts";
import { orAborted } from "../../../lib/time-limit.ts";
import { toJson } from "../../output/json.ts";
import { printableLines } from "../../output/printable.ts";
import type { Io } from "../../terminal/io.ts";
import { OutputGone } from "../../terminal/lost-output.ts";
import type { OutputSink } from "./output-sink.ts";
import { gapLine } from "./output-text.ts";
import { type CommandDetail, endLine, errorLine, generatedKeyOf, noteKey } from "./show.ts";

interface RawOutput extends OutputSink {
  /**
   * Prints the result if the action has written nothing, and on stderr why the command failed.
   * Calls `read`, which takes the one-time secret, only to print it.
   */
  end(command: CommandDetail, read: () => Promise<CommandDetail>): Promise<void>;
}

export function rawOutput(io: Io, signal: AbortSignal): RawOutput {
  const isShared = io.isTerminal && io.interactive;
  let hasWritten = false;
  let isGone = false;
  /** The start of an incomplete line, held back because the progress line would overwrite it. */
  let halfLine = "";
  const write = async (text: string) => {
    const safe = io.isTerminal ? printableLines(text) : text;
    if (safe === "" || isGone) return;
    await orAborted(io.outBytes(Buffer.from(safe)), signal).catch((error: unknown) => {
      // The wait continues, because its exit status says how the command ended.
      if (!(error instanceof OutputGone)) throw error;
      isGone = true;
    });
  };
  return {
    async take(parts) {
      for (const { kind, bytes } of parts) {
        if (kind !== "TEXT") io.note(`${gapLine(kind, bytes)}\n`);
      }
      const texts = parts.filter(({ stream }) => stream === "stdout").map(({ text }) => text ?? "");
      const text = halfLine + texts.join("");
      hasWritten ||= text !== "";
      const end = isShared ? text.lastIndexOf("\n") + 1 : text.length;
      halfLine = text.slice(end);
      await write(text.slice(0, end));
    },
    async end(command, read) {
      const { id, status } = command;
      const key = generatedKeyOf(command);
      if (hasWritten) {
        await write(halfLine);
        if (key !== null) {
          const minutes = oneTimeSecretSeconds / 60;
          const when = `which is shown only once, within ${minutes} minutes`;
          io.note(`\nThe result has a generatedKey, ${when}: platformctl commands get ${id}\n`);
        }
      } else {
        const whole = key === redacted ? await read() : command;
        await write(textOf(whole.result?.output ?? null));
        if (!isGone) noteKey(io, whole);
      }
      if (hasEnded(status) && status !== "SUCCEEDED") {
        io.note(errorLine(command) + endLine(command, { colour: false }));
      }
    },
  };
}

/** Text results often lack the final line feed that the program has written. */
function textOf(output: Json): string {
  if (output === null) return "";
  if (typeof output !== "string") return `${toJson(output, 2)}\n`;
  return output === "" || output.endsWith("\n") ? output : `${output}\n`;
}
