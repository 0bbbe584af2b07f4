// Enforces the rule that a write awaits only its transaction. (docs/decisions/0003-group-commit.md)

/** One turn of the event loop. A write that awaits only its transaction ends within its turn. */
export interface Turn {
  over: boolean;
}

/** Rejects if the work takes longer than the turn, because it would delay all other writes. */
export function withinTurn<T>(work: (turn: Turn) => Promise<T>): Promise<T> {
  const turn: Turn = { over: false };
  return new Promise((resolve, reject) => {
    const end = setImmediate(() => {
      turn.over = true;
      reject(turnExceeded());
    });
    work(turn)
      .then(resolve, reject)
      .finally(() => clearImmediate(end));
  });
}

export function turnExceeded(): Error {
  return new Error("a write awaited something other than its transaction");
}
