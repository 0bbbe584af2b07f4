// Shows at most two lines of a text that can be long. If it is cut, a tooltip shows all of it.

import type { ReactNode } from "react";
import { softBreaks } from "./soft-breaks.tsx";
import "./cut.css";

export function Cut({ children }: { children: ReactNode }) {
  const hint = ({ currentTarget }: { currentTarget: HTMLElement }) => {
    const { scrollHeight, clientHeight, innerText } = currentTarget;
    if (scrollHeight > clientHeight) currentTarget.title = innerText;
    else currentTarget.removeAttribute("title");
  };
  return (
    <span className="cut" onPointerEnter={hint}>
      {softBreaks(children)}
    </span>
  );
}
