// Does work at a steady rate. After a delay, it catches up on at most one second of work.

const tickMs = 20;

/** Returns a function that stops the work. */
export function atRate(perSecond: number, work: () => void): () => void {
  if (perSecond === 0) return () => undefined;
  const due = dueAt(perSecond, performance.now());
  const timer = setInterval(() => {
    for (let count = due(performance.now()); count > 0; count--) work();
  }, tickMs);
  return () => clearInterval(timer);
}

/** The returned function returns how many times the work has become due since its last call. */
export function dueAt(perSecond: number, startMs: number): (nowMs: number) => number {
  let lastMs = startMs;
  let owed = 0;
  return (nowMs) => {
    owed = Math.min(owed + ((nowMs - lastMs) / 1000) * perSecond, Math.max(1, perSecond));
    lastMs = nowMs;
    // Sums of fractions can stay a little below a whole number.
    const count = Math.floor(owed + 1e-9);
    owed -= count;
    return count;
  };
}
