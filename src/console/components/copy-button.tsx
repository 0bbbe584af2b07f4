import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { texts } from "../texts/index.ts";
import { Button } from "./button.tsx";
import "./copy-button.css";

interface CopyProps {
  text: string;
  label?: string;
}

const shownMs = 2_000;

export function CopyButton({ text, label = texts.words.copy }: CopyProps) {
  const [outcome, setOutcome] = useState<"copied" | "notCopied" | null>(null);
  const copy = async () => {
    const isCopied = await write(text);
    setOutcome(isCopied ? "copied" : "notCopied");
    if (isCopied) setTimeout(() => setOutcome(null), shownMs);
  };
  const isCopied = outcome === "copied";
  return (
    <>
      <Button icon={isCopied ? <Check /> : <Copy />} onClick={() => void copy()}>
        {isCopied ? texts.words.copied : label}
      </Button>
      <span className={outcome === "notCopied" ? "small" : "visually-hidden"} role="status">
        {outcome && texts.words[outcome]}
      </span>
    </>
  );
}

export function CopiedCode(props: CopyProps) {
  return (
    <div className="row">
      <code className="copied-code">{props.text}</code>
      <CopyButton {...props} />
    </div>
  );
}

async function write(text: string): Promise<boolean> {
  // Browsers have no clipboard for pages that came over plain HTTP from another host.
  if (!navigator.clipboard) return writeBySelection(text);
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => writeBySelection(text),
  );
}

function writeBySelection(text: string): boolean {
  const area = document.createElement("textarea");
  area.value = text;
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  return isCopied;
}
