// The palette and the keyboard shortcuts, for the frame of all pages.

import { Search } from "lucide-react";
import { useState } from "react";
import { useNavigate } from "react-router";
import { Button } from "../components/buttons/button.tsx";
import { texts } from "../texts/index.ts";
import { Palette } from "./palette/palette.tsx";
import { KeyCaps } from "./shortcuts/key-caps.tsx";
import { ShortcutHelp } from "./shortcuts/shortcut-help.tsx";
import { searchKeyCaps, searchKeys, useShortcuts } from "./shortcuts/shortcuts.ts";

/** Returns `search`, which opens the palette, and `dialog`, which must be rendered. */
export function useKeyboard() {
  const [shown, setShown] = useState<"palette" | "help" | null>(null);
  const navigate = useNavigate();
  const close = () => setShown(null);
  const search = () => setShown("palette");
  useShortcuts({
    onSearch: search,
    onHelp: () => setShown("help"),
    onGo: (path) => void navigate(path),
  });
  return {
    search,
    dialog: (
      <>
        {shown === "palette" && <Palette onClose={close} onHelp={() => setShown("help")} />}
        {shown === "help" && <ShortcutHelp onClose={close} />}
      </>
    ),
  };
}

export function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <Button icon={<Search aria-hidden="true" />} aria-keyshortcuts={searchKeys} onClick={onClick}>
      {texts.palette.title}
      <span aria-hidden="true">
        <KeyCaps keys={searchKeyCaps} />
      </span>
    </Button>
  );
}
