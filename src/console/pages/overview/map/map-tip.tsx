// What a cell of the health map stands for, beside it. Readers have all of it in the link's name.

import { useEffect, useState } from "react";
import { StatusBadge } from "../../../values/status-badge.tsx";
import type { AgentCells, ServiceCell } from "./map-filter.ts";

interface MapTipProps {
  cell: HTMLElement;
  agent: AgentCells;
  service: ServiceCell;
}

export function MapTip({ cell, agent, service }: MapTipProps) {
  const [, setMoves] = useState(0);
  useEffect(() => {
    // The keyboard scrolls to the cell that it goes to, in the page or in the map.
    const follow = () => setMoves((moves) => moves + 1);
    const options = { capture: true, passive: true };
    addEventListener("scroll", follow, options);
    return () => removeEventListener("scroll", follow, options);
  }, []);
  return (
    <div className="map-tip" style={placeBeside(cell)} aria-hidden="true">
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

/** On the side where there is more room. */
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
