// Cells for many items, each a link with the class `map-cell`. There can be thousands, so one
// listener serves all of them, and together they are a single tab stop.

import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useEffect,
  useState,
} from "react";
import { useNavigate } from "react-router";
import { toneOf } from "../../format/status.ts";
import "./cells.css";

interface CellFieldProps {
  /** The id of the first cell. */
  first: string | undefined;
  has: (id: string) => boolean;
  /** The tooltip of a cell. Screen readers get the same facts from the label of the cell. */
  tip: (id: string) => ReactNode;
  /** Renders the cells, given the id of the cell that the Tab key reaches. */
  children: (stop: string | undefined) => ReactNode;
}

export function CellField({ first, has, tip, children }: CellFieldProps) {
  const navigate = useNavigate();
  const [current, setCurrent] = useState<string | null>(null);
  const [pointed, setPointed] = useState<HTMLElement | null>(null);
  // The Tab key moves to the cell that last had focus, as long as that cell still exists.
  const stop = current !== null && has(current) ? current : first;

  const open = (event: MouseEvent) => {
    const cell = cellOf(event);
    if (!cell || event.button !== 0 || hasModifier(event)) return;
    event.preventDefault();
    void navigate(cell.pathname);
  };
  const focus = (event: FocusEvent) => {
    const cell = cellOf(event);
    if (!cell) return;
    setCurrent(cell.id);
    if (cell.matches(":focus-visible")) setPointed(cell);
  };
  const move = (event: KeyboardEvent) => {
    if (event.key === "Escape") setPointed(null);
    const cell = cellOf(event);
    if (!cell || hasModifier(event)) return;
    const beside = cellsBeside[event.key];
    if (!beside) return;
    event.preventDefault();
    beside(cell, [...event.currentTarget.querySelectorAll<HTMLElement>(cellSelector)])?.focus();
  };
  const tipped = pointed && tip(pointed.id);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the links inside
    <div
      className="map panel"
      onClick={open}
      onFocus={focus}
      onBlur={() => setPointed(null)}
      onKeyDown={move}
      onPointerOver={(event) => setPointed(cellOf(event))}
      onPointerLeave={() => setPointed(null)}
    >
      {children(stop)}
      {pointed && tipped && <Tip cell={pointed}>{tipped}</Tip>}
    </div>
  );
}

interface CellProps {
  id: string;
  /** The path of the page that the cell opens. */
  to: string;
  state: string;
  label: string;
  /** Whether the Tab key reaches this cell. */
  isStop: boolean;
}

export const Cell = memo(function Cell({ id, to, state, label, isStop }: CellProps) {
  return (
    <li>
      {/* biome-ignore lint/a11y/useAnchorContent: it has a label, and the style draws its symbol */}
      <a
        id={id}
        href={to}
        className={cellClass(state)}
        tabIndex={isStop ? 0 : -1}
        aria-label={label}
      />
    </li>
  );
});

const cellSelector = "a.map-cell";

export function cellClass(state: string): string {
  return `map-cell map-${state.toLowerCase()} tone-${toneOf(state)}`;
}

function cellOf({ target }: { target: EventTarget }): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest<HTMLAnchorElement>(cellSelector) : null;
}

function hasModifier(event: KeyboardEvent | MouseEvent): boolean {
  return event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
}

type Cells = readonly HTMLElement[];

/** The cell to which each key moves the focus, if there is one in the key's direction. */
const cellsBeside: Record<string, (from: HTMLElement, cells: Cells) => HTMLElement | undefined> = {
  ArrowRight: (from, cells) => cells[cells.indexOf(from) + 1],
  ArrowLeft: (from, cells) => cells[cells.indexOf(from) - 1],
  Home: (_, cells) => cells[0],
  End: (_, cells) => cells.at(-1),
  ArrowDown: (from, cells) => nearestRow(from, cells, 1),
  ArrowUp: (from, cells) => nearestRow(from, cells, -1),
};

/** Finds the next row in this direction, and returns its horizontally nearest cell. */
function nearestRow(from: HTMLElement, cells: Cells, direction: 1 | -1): HTMLElement | undefined {
  const { left, top, height } = from.getBoundingClientRect();
  let nearest: HTMLElement | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const cell of cells) {
    const place = cell.getBoundingClientRect();
    const down = (place.top - top) * direction;
    if (down < height / 2) continue;
    // The nearest row wins, whatever the horizontal distance.
    const distance = down * 10_000 + Math.abs(place.left - left);
    if (distance < least) [nearest, least] = [cell, distance];
  }
  return nearest;
}

function Tip({ cell, children }: { cell: HTMLElement; children: ReactNode }) {
  const [, setMoves] = useState(0);
  useEffect(() => {
    // Moving the focus by keyboard scrolls the page or the field.
    const follow = () => setMoves((moves) => moves + 1);
    const options = { capture: true, passive: true };
    addEventListener("scroll", follow, options);
    return () => removeEventListener("scroll", follow, options);
  }, []);
  return (
    <div className="map-tip floating tight" style={placeBeside(cell)} aria-hidden="true">
      {children}
    </div>
  );
}

const gap = 6;
const narrow = 640;
/** In pixels. Enough for the height of most tooltips. */
const room = 180;

/** Places the tooltip below the cell if there is room, so that it does not cover the filters. */
function placeBeside(cell: HTMLElement) {
  const { left, right, top, bottom } = cell.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const across =
    clientWidth < narrow
      ? { left: gap, right: gap }
      : left < clientWidth / 2
        ? { left }
        : { right: clientWidth - right };
  const down =
    bottom + room < clientHeight ? { top: bottom + gap } : { bottom: clientHeight - top + gap };
  return { ...across, ...down };
}
