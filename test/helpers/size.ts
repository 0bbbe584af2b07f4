// How much a test does that only its size makes slow: little in `npm test`, all of it in `npm run test:long`.

export const isLong = process.env.LONG_TESTS === "1";

/** How many, how often or how large. Both numbers must be able to show the fault that the test is about. */
export function size(usual: number, long: number): number {
  return isLong ? long : usual;
}
