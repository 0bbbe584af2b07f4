// The controls for the output of a command: search, view, copy and download.

import {
  ChevronDown,
  ChevronUp,
  Clock,
  Download,
  Maximize,
  Minimize,
  WrapText,
} from "lucide-react";
import type { KeyboardEvent } from "react";
import { Button, IconButton } from "../../../components/buttons/button.tsx";
import { CopyIcon } from "../../../components/buttons/copy-button.tsx";
import { count } from "../../../format/number.ts";
import { texts } from "../../../texts/index.ts";
import { mostMatches } from "./find.ts";

const words = texts.commands.output;

export interface Search {
  wanted: string;
  setWanted: (wanted: string) => void;
  found: number;
  /** The index of the current match, from 0. */
  current: number;
  /** Goes to the next match, or with -1 to the previous one. */
  move: (by: 1 | -1) => void;
}

export function SearchField({ search }: { search: Search }) {
  const { wanted, setWanted, found, current, move } = search;
  const press = (event: KeyboardEvent) => {
    if (event.key === "Enter") move(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape" && wanted !== "") setWanted("");
    else return;
    event.preventDefault();
  };
  const total = found < mostMatches ? count(found) : texts.words.atLeast({ total: count(found) });
  return (
    <search className="row output-search">
      <input
        type="search"
        className="control"
        aria-label={words.search}
        placeholder={words.search}
        autoComplete="off"
        spellCheck={false}
        value={wanted}
        onChange={({ target }) => setWanted(target.value)}
        onKeyDown={press}
      />
      <span className="muted small" role="status">
        {wanted !== "" &&
          (found === 0 ? words.notFound : words.match({ at: count(current + 1), total }))}
      </span>
      {found > 0 && (
        <>
          <IconButton label={words.previous} icon={<ChevronUp />} onClick={() => move(-1)} />
          <IconButton label={words.next} icon={<ChevronDown />} onClick={() => move(1)} />
        </>
      )}
    </search>
  );
}

/** Which lines are shown, and how. */
export interface View {
  isWrapped: boolean;
  withTimes: boolean;
  onlyErrors: boolean;
}

interface OutputToolbarProps {
  search: Search;
  view: View;
  change: (view: Partial<View>) => void;
  /** Whether the program has written to both streams. */
  hasBoth: boolean;
  text: () => string;
  download: () => void;
  isDownloading: boolean;
  isFull: boolean;
  /** Absent if the browser cannot show an element on the whole screen. */
  toggleFull: (() => void) | undefined;
}

export function OutputToolbar(props: OutputToolbarProps) {
  const { search, view, change, hasBoth, text, download, isDownloading } = props;
  const { isFull, toggleFull } = props;
  const { isWrapped, withTimes, onlyErrors } = view;
  return (
    <div className="row output-toolbar">
      <SearchField search={search} />
      <span className="row">
        {(hasBoth || onlyErrors) && (
          <Button
            kind="quiet"
            aria-pressed={onlyErrors}
            onClick={() => change({ onlyErrors: !onlyErrors })}
          >
            {words.onlyErrors}
          </Button>
        )}
        <IconButton
          label={words.times}
          icon={<Clock />}
          aria-pressed={withTimes}
          onClick={() => change({ withTimes: !withTimes })}
        />
        <IconButton
          label={words.wrap}
          icon={<WrapText />}
          aria-pressed={isWrapped}
          onClick={() => change({ isWrapped: !isWrapped })}
        />
        <CopyIcon text={text} label={words.copy} />
        <IconButton
          label={words.download}
          icon={<Download />}
          aria-disabled={isDownloading || undefined}
          onClick={isDownloading ? undefined : download}
        />
        {toggleFull && (
          <IconButton
            label={isFull ? words.leaveFull : words.full}
            icon={isFull ? <Minimize /> : <Maximize />}
            onClick={toggleFull}
          />
        )}
      </span>
    </div>
  );
}
