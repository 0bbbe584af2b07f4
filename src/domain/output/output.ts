// The output of a running command, as an agent sends it and as it is stored. A position is a number
// of bytes in UTF-8 from the beginning of the output, of both streams together, as the agent sent
// them. Only the agent counts them, so what is stored can be shorter or lack parts.

export const outputStreams = ["stdout", "stderr"] as const;
export type OutputStream = (typeof outputStreams)[number];

export interface OutputChunk {
  /** The position of its first byte. */
  offset: number;
  stream: OutputStream;
  text: string;
}

export interface OutputText extends OutputChunk {
  kind: "TEXT";
  /** The size as the agent sent it, which the redacted text can differ from. */
  bytes: number;
  /** When the server received it, in Unix milliseconds. */
  at: number;
  /**
   * The end may be the beginning of a secret. While the command runs, readers do not get it, and
   * `text` is what it becomes if nothing follows.
   */
  isHeld?: boolean;
}

/** The texts that are held back, as the agent sent them. */
export type HeldOutput = Partial<Record<OutputStream, string>>;

/** Output of which the server has nothing. */
export interface OutputGap {
  /** LOST: the agent did not send it. OMITTED: the server has dropped it, because it was too much. */
  kind: "LOST" | "OMITTED";
  offset: number;
  bytes: number;
}

export type OutputPart = OutputText | OutputGap;

/** The unit in which output is stored and dropped. Its parts follow each other without a gap. */
export interface OutputPage {
  /** Counted from 0 in each command. */
  number: number;
  offset: number;
  /** The position after its last byte. */
  next: number;
  parts: OutputPart[];
}
