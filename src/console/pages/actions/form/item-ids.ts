import { useRef } from "react";

interface ItemIds {
  ids: readonly number[];
  swap: (at: number, to: number) => void;
  remove: (at: number) => void;
}

/** Identities for the items of a list, so that each keeps its state when others move or leave. */
export function useItemIds(length: number): ItemIds {
  const ids = useRef<number[]>([]);
  const nextId = useRef(0);
  while (ids.current.length < length) ids.current.push(nextId.current++);
  ids.current.length = length;
  return {
    ids: ids.current,
    swap(at, to) {
      const { [at]: one = 0, [to]: other = 0 } = ids.current;
      ids.current = ids.current.with(at, other).with(to, one);
    },
    remove(at) {
      ids.current = ids.current.toSpliced(at, 1);
    },
  };
}
