// Chooses the size of slow tests: small in `npm test`, full in `npm run test:long`.

export const isLong = process.env.LONG_TESTS === "1";

/**
 * Returns the number for this run. With either number, the test must detect the faults that it is
 * for.
 */
export function size(usual: number, long: number): number {
  return isLong ? long : usual;
}
