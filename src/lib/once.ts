/** Returns a function that calls `make` only the first time, and then returns the same object. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
