// The cells of the health map, by agent. There may be thousands: one listener for all, nothing is drawn
// anew but what has changed, and to the keyboard the map is one stop.

import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  useMemo,
  useState,
} from "react";
import { useNavigate } from "react-router";
import { texts } from "../../../texts/index.ts";
import type { AgentCells, ServiceCell } from "./map-filter.ts";
import { cellBeside } from "./map-keys.ts";
import { cellClass } from "./map-legend.tsx";
import { MapTip } from "./map-tip.tsx";

const words = texts.overview.map;

export function MapCells({ agents }: { agents: readonly AgentCells[] }) {
  const navigate = useNavigate();
  const [current, setCurrent] = useState<string | null>(null);
  const [pointed, setPointed] = useState<HTMLElement | null>(null);
  const agentOf = useMemo(
    () => new Map(agents.flatMap((agent) => agent.services.map(({ id }) => [id, agent] as const))),
    [agents],
  );
  // The cell that the Tab key comes to: the last one that was looked at, while it is there.
  const stop = current !== null && agentOf.has(current) ? current : agents[0]?.services[0]?.id;
  const stopAgent = stop === undefined ? undefined : agentOf.get(stop);

  const open = (event: MouseEvent) => {
    const cell = cellOf(event);
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey);
    if (!cell || !isPlain || event.altKey) return;
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
    const isPlain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!cell || !isPlain) return;
    const beside = cellBeside(event.key, cell, cellsIn(event.currentTarget));
    if (beside === undefined) return;
    event.preventDefault();
    beside?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it listens for the links inside
    <div
      className="map"
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
      {pointed && <PointedTip cell={pointed} agent={agentOf.get(pointed.id)} />}
    </div>
  );
}

/** `stop`: the service whose cell the Tab key comes to, if it is one of them. */
const AgentGroup = memo(function AgentGroup({
  agent,
  stop,
}: {
  agent: AgentCells;
  stop: string | undefined;
}) {
  const { id, code, status, services } = agent;
  return (
    <div className="map-agent">
      <p className="small" id={`${id}-name`}>
        <span className="map-agent-code" title={code}>
          {code}
        </span>
        {status !== "ONLINE" && <span className="muted"> {status}</span>}
      </p>
      <ul aria-labelledby={`${id}-name`}>
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
      {/* biome-ignore lint/a11y/useAnchorContent: its label says all, and its sign is drawn by the style */}
      <a
        id={id}
        href={`/services/${id}`}
        className={cellClass(status)}
        tabIndex={isStop ? 0 : -1}
        aria-label={words.cell(code, name, status, healthMessage)}
      />
    </li>
  );
});

function PointedTip({ cell, agent }: { cell: HTMLElement; agent: AgentCells | undefined }) {
  const service = agent?.services.find(({ id }) => id === cell.id);
  return agent && service ? <MapTip cell={cell} agent={agent} service={service} /> : null;
}

const cellSelector = "a.map-cell";

function cellOf({ target }: { target: EventTarget }): HTMLAnchorElement | null {
  return target instanceof Element ? target.closest<HTMLAnchorElement>(cellSelector) : null;
}

function cellsIn(element: Element): HTMLElement[] {
  return [...element.querySelectorAll<HTMLElement>(cellSelector)];
}
