// A dialog to find a page, a command, an item or an action by typing, and to open or run it. It is
// an editable combobox with a list: the focus stays in the field
// (https://www.w3.org/WAI/ARIA/apg/patterns/combobox/).

import { type KeyboardEvent, useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { Failure } from "../../components/failure.tsx";
import { texts } from "../../texts/index.ts";
import { StatusBadge } from "../../values/status-badge.tsx";
import { type Option, optionOf, useOwnOptions } from "./options.ts";
import { useSearch } from "./use-search.ts";
import "./palette.css";

const words = texts.palette;

interface PaletteProps {
  onClose: () => void;
  /** Shows the keyboard shortcuts instead. */
  onHelp: () => void;
}

export function Palette({ onClose, onHelp }: PaletteProps) {
  const listId = useId();
  const field = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const { results, isCurrent, error } = useSearch(text);
  const options = [...useOwnOptions(text, onHelp), ...results.map(optionOf)];
  /** The key of the option that the user moved to. Until then, the first option is active. */
  const [chosen, setChosen] = useState<string | null>(null);
  /** Whether Enter was pressed before the server answered. */
  const [isWaiting, setWaiting] = useState(false);
  const active = options.find(({ key }) => key === chosen) ?? options[0];

  useEffect(() => field.current?.focus(), []);

  const open = ({ choose }: Option) => {
    onClose();
    const address = choose();
    if (address !== null) void navigate(address);
  };
  const openFirst = useEffectEvent(() => {
    setWaiting(false);
    if (active) open(active);
  });
  useEffect(() => {
    if (isWaiting && isCurrent) openFirst();
  }, [isWaiting, isCurrent]);

  const move = (to: Option | undefined) => {
    if (to === undefined) return;
    setChosen(to.key);
    document.getElementById(idOf(listId, to))?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const at = active ? options.indexOf(active) : -1;
    if (event.key === "Enter") {
      // Pages and commands are found immediately, but the server's results may still change.
      const isSure = isCurrent || chosen !== null || (active && active.group !== "results");
      if (!isSure) setWaiting(true);
      else if (active) open(active);
    } else if (event.key === "ArrowDown") move(options[at + 1] ?? options[0]);
    else if (event.key === "ArrowUp") move(options[at - 1] ?? options.at(-1));
    else if (event.key === "Home") move(options[0]);
    else if (event.key === "End") move(options.at(-1));
    else return;
    event.preventDefault();
  };
  const change = (next: string) => {
    setText(next);
    setChosen(null);
    setWaiting(false);
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div className="palette">
        <input
          ref={field}
          className="control"
          type="text"
          role="combobox"
          aria-label={words.label}
          aria-autocomplete="list"
          aria-expanded={options.length > 0}
          aria-controls={listId}
          aria-activedescendant={active && idOf(listId, active)}
          placeholder={words.hint}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={200}
          value={text}
          onChange={({ target }) => change(target.value)}
          onKeyDown={onKeyDown}
        />
        <Failure error={error} />
        <div className="palette-list" role="listbox" id={listId} aria-label={words.results}>
          {[...new Set(options.map(({ group }) => group))].map((group) => (
            <Group
              key={group}
              title={words.groups[group]}
              options={options.filter((option) => option.group === group)}
              active={active}
              idOf={(option) => idOf(listId, option)}
              onPoint={({ key }) => setChosen(key)}
              onChoose={open}
            />
          ))}
        </div>
        <p className="muted small" role="status">
          {said(options.length, isCurrent)}
        </p>
        <p className="palette-footer muted small">{words.footer}</p>
      </div>
    </Dialog>
  );
}

interface GroupProps {
  title: string;
  options: readonly Option[];
  active: Option | undefined;
  idOf: (option: Option) => string;
  onPoint: (option: Option) => void;
  onChoose: (option: Option) => void;
}

function Group({ title, options, active, idOf, onPoint, onChoose }: GroupProps) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a list of options has no field set
    <div role="group" aria-labelledby={id}>
      <div id={id} role="presentation" className="palette-group muted small">
        {title}
      </div>
      {options.map((option) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
        <div
          key={option.key}
          id={idOf(option)}
          className="palette-option"
          role="option"
          aria-selected={option === active}
          onPointerDown={(event) => event.preventDefault()}
          onPointerMove={() => onPoint(option)}
          onClick={() => onChoose(option)}
        >
          <span className="palette-title">{option.title}</span>
          {option.about && <span className="palette-about muted small">{option.about}</span>}
          {option.status && <StatusBadge status={option.status} />}
          {option.kind && <span className="palette-kind muted small">{option.kind}</span>}
        </div>
      ))}
    </div>
  );
}

function idOf(listId: string, { key }: Option): string {
  return `${listId}-${key.replace(/[^\w-]/g, "_")}`;
}

function said(count: number, isCurrent: boolean): string {
  if (!isCurrent) return words.searching;
  return count === 0 ? words.nothing : words.count({ many: count });
}
