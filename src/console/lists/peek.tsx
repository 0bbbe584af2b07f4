// A panel beside a list that shows everything the list knows about one row. The focus stays in the
// list, so that the panel can follow the keys that move between rows.

import { X } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { IconButton } from "../components/buttons/button.tsx";
import { texts } from "../texts/index.ts";
import { Facts } from "../values/facts.tsx";
import type { Column } from "./table.tsx";
import "./peek.css";

interface PeekProps<T> {
  row: T;
  columns: readonly Column<T>[];
  onClose: () => void;
}

export function Peek<T>({ row, columns, onClose }: PeekProps<T>) {
  const title = columns.find(({ card }) => card === "title");
  const facts = columns.filter((column) => column !== title && column.whole !== true);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const onKey = ({ key, defaultPrevented }: KeyboardEvent) => {
      const isOver = document.querySelector("dialog[open], :popover-open") !== null;
      if (key === "Escape" && !defaultPrevented && !isOver) close();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return (
    <aside className="peek floating" aria-label={texts.words.peek}>
      <header>
        <h2>{title?.cell(row)}</h2>
        <IconButton label={texts.words.close} icon={<X />} onClick={onClose} />
      </header>
      <Facts facts={facts.map(({ header, cell }) => [header, cell(row)])} />
    </aside>
  );
}
