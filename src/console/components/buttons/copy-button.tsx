import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { texts } from "../../texts/index.ts";
import { Button, IconButton } from "./button.tsx";
import "./copy-button.css";

interface CopyProps {
  /** A function, if the text is long and changes often. */
  text: string | (() => string);
  label?: string;
}

const shownMs = 2_000;

type Outcome = "copied" | "notCopied" | null;

export function CopyButton({ text, label = texts.words.copy }: CopyProps) {
  const [outcome, copy] = useCopy(text);
  const isCopied = outcome === "copied";
  return (
    <>
      <Button icon={isCopied ? <Check /> : <Copy />} onClick={copy}>
        {isCopied ? texts.words.copied : label}
      </Button>
      <CopyOutcome outcome={outcome} />
    </>
  );
}

/** For places that have no room for a button with text. */
export function CopyIcon({ text, label = texts.words.copy }: CopyProps) {
  const [outcome, copy] = useCopy(text);
  const icon = outcome === "copied" ? <Check /> : <Copy />;
  return (
    <>
      <IconButton label={label} icon={icon} onClick={copy} />
      <CopyOutcome outcome={outcome} />
    </>
  );
}

function useCopy(text: CopyProps["text"]): [Outcome, copy: () => void] {
  const [outcome, setOutcome] = useState<Outcome>(null);
  const copy = async () => {
    const isCopied = await write(typeof text === "string" ? text : text());
    setOutcome(isCopied ? "copied" : "notCopied");
    if (isCopied) setTimeout(() => setOutcome(null), shownMs);
  };
  return [outcome, () => void copy()];
}

function CopyOutcome({ outcome }: { outcome: Outcome }) {
  return (
    <span className={outcome === "notCopied" ? "small" : "visually-hidden"} role="status">
      {outcome && texts.words[outcome]}
    </span>
  );
}

export function CopiedCode(props: CopyProps & { text: string }) {
  return (
    <div className="row">
      <code className="copied-code">{props.text}</code>
      <CopyButton {...props} />
    </div>
  );
}

async function write(text: string): Promise<boolean> {
  // Browsers offer no clipboard to pages that were loaded over plain HTTP from another host.
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
