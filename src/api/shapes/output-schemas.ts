import { z } from "zod";
import { commandOutput } from "../../domain/limits.ts";
import { outputStreams } from "../../domain/output/output.ts";
import { named, namedObject } from "../contract/schema-names.ts";
import { idOf, timestamp } from "../contract/schemas.ts";
import { commandStatus } from "./command-schemas.ts";

export const outputStream = named("OutputStream", z.enum(outputStreams));

export const outputPosition = z.int().min(0);

const outputPart = namedObject("OutputPart", {
  kind: named("OutputPartKind", z.enum(["TEXT", "LOST", "OMITTED"])).describe(
    "TEXT is output. LOST marks output that could not be sent in time. If a LOST part has 0 " +
      "bytes, the end of the output may be missing, because the agent has not announced the " +
      "end. OMITTED marks output from the middle that the server did not keep, because there " +
      "was too much output.",
  ),
  offset: outputPosition.describe("How many bytes of output came before this part."),
  bytes: outputPosition.describe(
    "The size of the part as the agent sent it. The size of `text` can differ, because " +
      "secrets are redacted and terminal control sequences are removed.",
  ),
  stream: outputStream.optional().describe("Only in TEXT parts."),
  at: timestamp.optional().describe("When the server received the text."),
  text: z.string().optional().describe("The output itself. Only in TEXT parts."),
});

export const commandOutputPage = namedObject("CommandOutput", {
  commandId: idOf("cmd"),
  status: commandStatus,
  parts: z.array(outputPart).describe("The parts, in the order of the output."),
  nextOffset: outputPosition.describe("The value of `after` for the next call."),
  complete: z
    .boolean()
    .describe(
      "Whether the command has ended and this is the end of its output. If the agent has " +
        "announced more output, `complete` becomes true no later than " +
        `${commandOutput.lateSeconds} s after the command's end.`,
    ),
});
