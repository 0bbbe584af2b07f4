// Puts a text into the clipboard, and says so.

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { texts } from "../texts/index.ts";
import { Button } from "./button.tsx";

const thanksMs = 2_000;

/** `label` says what is copied. */
export function CopyButton({ text, label = texts.words.copy }: { text: string; label?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await write(text);
    setCopied(true);
    setTimeout(() => setCopied(false), thanksMs);
  };
  return (
    <>
      <Button icon={isCopied ? <Check /> : <Copy />} onClick={() => void copy()}>
        {isCopied ? texts.words.copied : label}
      </Button>
      <span className="visually-hidden" role="status">
        {isCopied ? texts.words.copied : ""}
      </span>
    </>
  );
}

async function write(text: string): Promise<void> {
  // Browsers have no clipboard for pages that came over plain HTTP from another host.
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = document.createElement("textarea");
  area.value = text;
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}
