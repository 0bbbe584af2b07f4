// What one write within the transaction of its group remembers, on both engines.
// (docs/decisions/0003-group-commit.md)

export class EngineTx {
  /** The time of the whole transaction, in Unix milliseconds. */
  readonly now: number;
  /** Whether a statement may have changed something. */
  hasChanged = false;
  /** The number of changed rows. */
  changes = 0;
  #undoes: (() => void)[] = [];
  #doubts: (() => void)[] = [];

  constructor(now: number) {
    this.now = now;
  }

  afterRollback(effect: () => void): void {
    this.#undoes.push(effect);
  }

  ifUnconfirmed(effect: () => void): void {
    this.#doubts.push(effect);
  }

  /** Must be called when the changes are undone. */
  undo(): void {
    const effects = this.#undoes;
    this.#undoes = [];
    this.#doubts = [];
    for (const effect of effects) effect();
  }

  /** Must be called when it cannot be found out whether the changes are durable. */
  doubt(): void {
    for (const effect of this.#doubts) effect();
  }
}
