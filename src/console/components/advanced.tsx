// The part of a form that few users need. It is closed at first, unless something in it is set.

import type { ReactNode } from "react";
import { texts } from "../texts/index.ts";
import "./advanced.css";

interface AdvancedProps {
  isOpen?: boolean;
  children: ReactNode;
}

export function Advanced({ isOpen, children }: AdvancedProps) {
  return (
    <details className="advanced" open={isOpen}>
      <summary>{texts.words.advanced}</summary>
      {children}
    </details>
  );
}
