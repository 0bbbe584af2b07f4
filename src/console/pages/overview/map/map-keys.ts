// Where the keys lead in the health map: along the cells, and to the row above or below.

/** Undefined: the key is none of the map's. Null: there is none in that direction. */
export function cellBeside(
  key: string,
  from: HTMLElement,
  cells: readonly HTMLElement[],
): HTMLElement | null | undefined {
  const at = cells.indexOf(from);
  switch (key) {
    case "ArrowRight":
      return cells[at + 1] ?? null;
    case "ArrowLeft":
      return cells[at - 1] ?? null;
    case "Home":
      return cells[0] ?? null;
    case "End":
      return cells.at(-1) ?? null;
    case "ArrowDown":
      return nearestRow(from, cells, 1);
    case "ArrowUp":
      return nearestRow(from, cells, -1);
    default:
      return undefined;
  }
}

/** In the next row that has one; there, the one that is least aside. */
function nearestRow(
  from: HTMLElement,
  cells: readonly HTMLElement[],
  direction: 1 | -1,
): HTMLElement | null {
  const { left, top, height } = from.getBoundingClientRect();
  let nearest: HTMLElement | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const cell of cells) {
    const place = cell.getBoundingClientRect();
    const down = (place.top - top) * direction;
    if (down < height / 2) continue;
    // A row counts more than all that is aside.
    const distance = down * 10_000 + Math.abs(place.left - left);
    if (distance < least) [nearest, least] = [cell, distance];
  }
  return nearest;
}
