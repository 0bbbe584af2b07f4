// The size of tests that are slow only because of their size: small in `npm test`, full in `npm run
// test:long`.

export const isLong = process.env.LONG_TESTS === "1";

/**
 * Returns the count or size for this run. With either number, the test must be able to detect the
 * fault that it looks for.
 */
export function size(usual: number, long: number): number {
  return isLong ? long : usual;
}
