// A button that opens a panel with choices. Escape, a click elsewhere, or a choice closes the
// panel. The panel's content exists only while the panel is open.

import { ChevronDown } from "lucide-react";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
} from "react";
import { Button, type ButtonKind, IconButton } from "./button.tsx";
import "./pop-button.css";

interface PopButtonProps {
  text: string;
  /** Screen readers read this out instead of the text. It must contain the text. */
  label?: string;
  kind?: ButtonKind;
  /** Shown instead of the text. */
  icon?: ReactNode;
  children: ReactNode;
}

export function PopButton({ text, label, kind = "plain", icon, children }: PopButtonProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  const choose = ({ target }: MouseEvent) => {
    if (target instanceof Element && target.closest(itemSelector)) panel.current?.hidePopover();
  };
  return (
    <>
      {icon ? (
        <IconButton label={label ?? text} icon={icon} popoverTarget={id} />
      ) : (
        <Button kind={kind} aria-label={label} popoverTarget={id}>
          {text}
          <ChevronDown aria-hidden="true" />
        </Button>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens for the choices inside */}
      <div
        id={id}
        ref={panel}
        popover="auto"
        className="pop floating"
        onToggle={({ newState }) => setOpen(newState === "open")}
        onClick={choose}
        onKeyDown={moveAmongItems}
      >
        {isOpen && children}
      </div>
    </>
  );
}

const itemSelector = ".menu-item";

function moveAmongItems(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>(itemSelector)];
  if (step === undefined || items.length === 0) return;
  event.preventDefault();
  const at = items.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 && step < 0 ? -1 : at + step;
  items.at(next % items.length)?.focus();
}
