// The keyboard shortcuts. Single-key ones do nothing while the user types or a dialog is open.

import { useEffect, useEffectEvent } from "react";
import { texts } from "../../texts/index.ts";
import { useNavPages } from "../nav-pages.ts";
import { useSingleKeys } from "./single-keys.ts";

/** The key to press after `g`, by the path of the page. */
const goKeys: Readonly<Record<string, string>> = {
  "/": "o",
  "/services": "s",
  "/agents": "a",
  "/commands": "c",
  "/rollouts": "r",
  "/schedules": "d",
  "/approvals": "p",
  "/audit": "u",
};

/** How long `g` waits for the next key. */
const goMs = 1_500;

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);

/** For `aria-keyshortcuts`. */
export const searchKeys = isMac ? "Meta+K" : "Control+K";
export const searchKeyCaps = isMac ? ["⌘", "K"] : [texts.shortcuts.control, "K"];

interface GoShortcut {
  key: string;
  path: string;
  text: string;
}

export function useGoShortcuts(): GoShortcut[] {
  return useNavPages().flatMap(({ path, nav: { text } }) => {
    const key = goKeys[path];
    return key === undefined ? [] : [{ key, path, text }];
  });
}

interface Shortcuts {
  onSearch: () => void;
  onHelp: () => void;
  onGo: (path: string) => void;
}

export function useShortcuts({ onSearch, onHelp, onGo }: Shortcuts): void {
  const goes = useGoShortcuts();
  const hasSingleKeys = useSingleKeys();
  const single = useEffectEvent((key: string, isAfterG: boolean): boolean => {
    if (!hasSingleKeys) return false;
    const path = isAfterG ? goes.find((go) => go.key === key)?.path : undefined;
    if (path !== undefined) onGo(path);
    else if (key === "/") onSearch();
    else if (key === "?") onHelp();
    else return false;
    return true;
  });
  const search = useEffectEvent(onSearch);
  useEffect(() => {
    let isAfterG = false;
    let timer: number | undefined;
    const forgetG = () => {
      isAfterG = false;
      clearTimeout(timer);
    };
    const onKey = (event: KeyboardEvent) => {
      const { key, repeat, isComposing, defaultPrevented } = event;
      // Shift alone must not end the wait after `g`, because it is pressed to type `?`.
      if (repeat || isComposing || defaultPrevented || key === "Shift") return;
      const wasAfterG = isAfterG;
      forgetG();
      if (document.querySelector("dialog[open]")) return;
      if (isSearchKey(event)) {
        event.preventDefault();
        search();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (single(key, wasAfterG)) event.preventDefault();
      else if (key === "g") {
        isAfterG = true;
        timer = window.setTimeout(forgetG, goMs);
      }
    };
    document.addEventListener("keydown", onKey);
    return () => {
      document.removeEventListener("keydown", onKey);
      clearTimeout(timer);
    };
  }, []);
}

/** On a Mac, only Cmd+K counts, because Ctrl+K deletes to the end of the line. */
function isSearchKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  const [wanted, other] = isMac ? [metaKey, ctrlKey] : [ctrlKey, metaKey];
  return key.toLowerCase() === "k" && wanted && !other && !altKey && !shiftKey;
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.closest("input, textarea, select") !== null;
}
