// The usual shape of a batch: everything is read before anything is changed.
// (docs/decisions/0003-group-commit.md)

/**
 * Calls `read` for all items at the same time, and then `write` with those whose `read` did not
 * throw. `write` returns a value for each. Returns the outcomes in the order of the items.
 */
export async function readThenWrite<Item, Read, Value>(
  items: readonly Item[],
  read: (item: Item) => Promise<Read>,
  write: (read: readonly Read[]) => Promise<ReadonlyMap<Read, Value>>,
): Promise<PromiseSettledResult<Value>[]> {
  const ended = await Promise.allSettled(items.map(read));
  const good = ended.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const values = await write(good);
  return ended.map((each) =>
    each.status === "rejected"
      ? each
      : { status: "fulfilled", value: values.get(each.value) as Value },
  );
}
