// The dialog that lists the keyboard shortcuts.

import type { ReactNode } from "react";
import { Link } from "react-router";
import { Dialog } from "../../components/dialogs/dialog.tsx";
import { texts } from "../../texts/index.ts";
import { KeyCaps } from "./key-caps.tsx";
import { searchKeyCaps, useGoShortcuts } from "./shortcuts.ts";
import { useSingleKeys } from "./single-keys.ts";
import "./shortcuts.css";

const words = texts.shortcuts;
const listKeys = [
  ["move", "j", "k"],
  ["select", "x"],
  ["open", words.enter],
  ["peek", words.space],
] as const;

export function ShortcutHelp({ onClose }: { onClose: () => void }) {
  const goes = useGoShortcuts();
  const hasSingleKeys = useSingleKeys();
  return (
    <Dialog title={words.title} onClose={onClose}>
      <div className="shortcut-help">
        {!hasSingleKeys && <p>{words.off}</p>}
        <h3>{words.groups.all}</h3>
        <dl className="shortcut-list">
          <Shortcut text={texts.palette.title}>
            <KeyCaps keys={searchKeyCaps} />
            {hasSingleKeys && (
              <>
                <span className="muted small"> {words.or} </span>
                <KeyCaps keys={["/"]} />
              </>
            )}
          </Shortcut>
          {hasSingleKeys && (
            <Shortcut text={words.help}>
              <KeyCaps keys={["?"]} />
            </Shortcut>
          )}
        </dl>
        {hasSingleKeys && (
          <>
            <h3>{words.groups.list}</h3>
            <dl className="shortcut-list">
              {listKeys.map(([key, ...keys]) => (
                <Shortcut key={key} text={words.list[key]}>
                  <KeyCaps keys={keys} />
                </Shortcut>
              ))}
            </dl>
            <h3>{words.groups.go}</h3>
            <dl className="shortcut-list">
              {goes.map(({ key, path, text }) => (
                <Shortcut key={path} text={text}>
                  <KeyCaps keys={["g", key]} between={words.next} />
                </Shortcut>
              ))}
            </dl>
          </>
        )}
        <p className="small">
          <Link to="/account" onClick={onClose}>
            {words.change}
          </Link>
        </p>
      </div>
    </Dialog>
  );
}

function Shortcut({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div>
      <dt>{text}</dt>
      <dd>{children}</dd>
    </div>
  );
}
