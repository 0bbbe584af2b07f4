// Random numbers that can be repeated.

/** Returns a function that draws whole numbers below its argument, the same for the same seed. */
export function randomNumbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * The seed in the variable TEST_SEED, or a new one. It is printed, so that a run can be repeated.
 */
export function printedSeed(): number {
  const seed = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);
  process.stderr.write(`TEST_SEED=${seed}\n`);
  return seed;
}
