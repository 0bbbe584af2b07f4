// The error that Ctrl-C causes.

export class Interrupted extends Error {
  override readonly name = "Interrupted";

  constructor(message = "interrupted") {
    super(message);
  }
}
