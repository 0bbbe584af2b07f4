// The rule that a write awaits nothing but its transaction, and what happens to one that does not keep
// to it. (docs/decisions/0003-group-commit.md)

/** One turn of the event loop: what only awaits its transaction is over before the next begins. */
export interface Turn {
  over: boolean;
}

/** Gives up on work that is not over when the event loop turns: it holds up all other writes. */
export function withinTurn<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
  const turn: Turn = { over: false };
  return new Promise((resolve, reject) => {
    const end = setImmediate(() => {
      turn.over = true;
      reject(overran());
    });
    work(turn)
      .then(resolve, reject)
      .finally(() => clearImmediate(end));
  });
}

export function overran(): Error {
  return new Error("a write awaited something else than its transaction");
}
