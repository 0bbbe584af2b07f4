// The output of a running command, as an agent sends it and as it is stored. A position is a number
// of UTF-8 bytes from the beginning of the output, counted by the agent over both streams together.
// The stored text can be shorter, and parts can be missing.

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
  /** The size of the text that the agent sent. The redacted text can have another size. */
  bytes: number;
  /** When the server received it, in Unix milliseconds. */
  at: number;
  /**
   * Whether the part may be the beginning of a secret or a control sequence. While the command
   * runs, readers do not get it. `text` is what they get if nothing follows.
   */
  isHeld?: boolean;
}

/** The texts that are held back, as the agent sent them. */
export type HeldOutput = Partial<Record<OutputStream, string>>;

/** Output that the server does not have. */
export interface OutputGap {
  /**
   * LOST: the agent did not send it. OMITTED: the server has dropped it, because there was too
   * much.
   */
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
