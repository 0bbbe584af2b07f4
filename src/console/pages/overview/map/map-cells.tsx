// The cells of the health map. There can be thousands, so one listener serves all of them, only
// changed cells are rendered again, and the map is a single tab stop.

import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  useEffect,
  useMemo,
  useState,
} from "react";
import { useNavigate } from "react-router";
import { texts } from "../../../texts/index.ts";
import { StatusBadge, toneOf } from "../../../values/status-badge.tsx";
import type { AgentCells, ServiceCell, Status } from "./map-filter.ts";

export function MapCells({ agents }: { agents: readonly AgentCells[] }) {
  const navigate = useNavigate();
  const [current, setCurrent] = useState<string | null>(null);
  const [pointed, setPointed] = useState<HTMLElement | null>(null);
  const agentOf = useMemo(
    () => new Map(agents.flatMap((agent) => agent.services.map(({ id }) => [id, agent] as const))),
    [agents],
  );
  // The Tab key moves to the cell that last had focus, as long as that cell still exists.
  const stop = current !== null && agentOf.has(current) ? current : agents[0]?.services[0]?.id;
  const stopAgent = stop === undefined ? undefined : agentOf.get(stop);

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
  const pointedAgent = pointed ? agentOf.get(pointed.id) : undefined;
  const pointedService = pointedAgent?.services.find(({ id }) => id === pointed?.id);
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
      {agents.map((agent) => (
        <AgentGroup key={agent.id} agent={agent} stop={agent === stopAgent ? stop : undefined} />
      ))}
      {pointed && pointedAgent && pointedService && (
        <MapTip cell={pointed} agent={pointedAgent} service={pointedService} />
      )}
    </div>
  );
}

interface AgentGroupProps {
  agent: AgentCells;
  /** The service whose cell the Tab key reaches, if that service belongs to this agent. */
  stop: string | undefined;
}

const AgentGroup = memo(function AgentGroup({ agent, stop }: AgentGroupProps) {
  const { id, code, status, services } = agent;
  return (
    <div className="map-agent">
      <p className="small" id={`${id}-name`}>
        <span className="map-agent-code" title={code}>
          {code}
        </span>
        {status !== "ONLINE" && <span className="muted"> {status}</span>}
      </p>
      <ul className="row plain" aria-labelledby={`${id}-name`}>
        {services.map((service) => (
          <Cell key={service.id} service={service} isStop={service.id === stop} />
        ))}
      </ul>
    </div>
  );
});

const Cell = memo(function Cell({ service, isStop }: { service: ServiceCell; isStop: boolean }) {
  const { id, code, name, status, healthMessage } = service;
  return (
    <li>
      {/* biome-ignore lint/a11y/useAnchorContent: it has a label, and the style draws its symbol */}
      <a
        id={id}
        href={`/services/${id}`}
        className={cellClass(status)}
        tabIndex={isStop ? 0 : -1}
        aria-label={texts.overview.map.cell(code, name, status, healthMessage)}
      />
    </li>
  );
});

const cellSelector = "a.map-cell";

export function cellClass(status: Status): string {
  return `map-cell map-${status.toLowerCase()} tone-${toneOf(status)}`;
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

/** Returns the horizontally nearest cell in the next row in this direction. */
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

interface MapTipProps {
  cell: HTMLElement;
  agent: AgentCells;
  service: ServiceCell;
}

/** A tooltip. Screen readers get the same facts from the link's label. */
function MapTip({ cell, agent, service }: MapTipProps) {
  const [, setMoves] = useState(0);
  useEffect(() => {
    // Moving the focus by keyboard scrolls the page or the map.
    const follow = () => setMoves((moves) => moves + 1);
    const options = { capture: true, passive: true };
    addEventListener("scroll", follow, options);
    return () => removeEventListener("scroll", follow, options);
  }, []);
  return (
    <div className="map-tip floating tight" style={placeBeside(cell)} aria-hidden="true">
      <p>
        <strong>{service.code}</strong> <StatusBadge status={service.status} />
      </p>
      <p>{service.name}</p>
      {service.healthMessage && <p>{service.healthMessage}</p>}
      <p className="muted small">
        {agent.name ? `${agent.code} · ${agent.name}` : agent.code}
        {agent.status !== "ONLINE" && ` · ${agent.status}`}
      </p>
    </div>
  );
}

const gap = 6;
const narrow = 640;

/** Places the tooltip on the side of the cell that has more room. */
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
    bottom < clientHeight / 2 ? { top: bottom + gap } : { bottom: clientHeight - top + gap };
  return { ...across, ...down };
}
