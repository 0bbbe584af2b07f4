// The services of a fix, each with a button that leaves it out.

import { X } from "lucide-react";
import { useRef } from "react";
import { texts } from "../../../texts/index.ts";

const words = texts.fix;
/** More chips would fill the sheet. The action also runs on the services that are not shown. */
const shownAtMost = 60;

interface ServiceChipsProps {
  codes: readonly string[];
  onChange: (codes: readonly string[]) => void;
}

export function ServiceChips({ codes, onChange }: ServiceChipsProps) {
  const list = useRef<HTMLUListElement>(null);
  const rest = codes.length - shownAtMost;
  const remove = (code: string, at: number) => {
    onChange(codes.filter((each) => each !== code));
    // The focus moves to the button beside the removed one, or to the list if there is none.
    const buttons = list.current?.querySelectorAll("button") ?? [];
    (buttons[at + 1] ?? buttons[at - 1] ?? list.current)?.focus();
  };
  return (
    <ul ref={list} tabIndex={-1} className="row plain fix-services" aria-label={words.services}>
      {codes.slice(0, shownAtMost).map((code, at) => (
        <li key={code} className="fix-service">
          <span title={code}>{code}</span>
          <button
            type="button"
            aria-label={words.leaveOut({ code })}
            onClick={() => remove(code, at)}
          >
            <X aria-hidden="true" />
          </button>
        </li>
      ))}
      {rest > 0 && <li className="muted">{texts.attention.more({ many: rest })}</li>}
    </ul>
  );
}
