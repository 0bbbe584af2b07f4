// Puts a text into the clipboard, and says whether it is there.

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { texts } from "../texts/index.ts";
import { Button } from "./button.tsx";

const thanksMs = 2_000;

type Outcome = "copied" | "failed";

/** `label` says what is copied. */
export function CopyButton({ text, label = texts.words.copy }: { text: string; label?: string }) {
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const copy = async () => {
    const isCopied = await write(text);
    setOutcome(isCopied ? "copied" : "failed");
    if (isCopied) setTimeout(() => setOutcome(null), thanksMs);
  };
  const isCopied = outcome === "copied";
  return (
    <>
      <Button icon={isCopied ? <Check /> : <Copy />} onClick={() => void copy()}>
        {isCopied ? texts.words.copied : label}
      </Button>
      <span className={outcome === "failed" ? "small" : "visually-hidden"} role="status">
        {outcome === null ? "" : outcome === "copied" ? texts.words.copied : texts.words.notCopied}
      </span>
    </>
  );
}

/** Whether it is there. */
async function write(text: string): Promise<boolean> {
  // Browsers have no clipboard for pages that came over plain HTTP from another host.
  if (!navigator.clipboard) return writeByHand(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => writeByHand(text),
  );
}

function writeByHand(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  return isCopied;
}
