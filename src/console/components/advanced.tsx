// The part of a form that few users need. It is closed at first, unless something in it is set.

import type { ReactNode } from "react";
import { texts } from "../texts/index.ts";
import "./advanced.css";

interface AdvancedProps {
  title?: string;
  isOpen?: boolean;
  children: ReactNode;
}

export function Advanced({ title = texts.words.advanced, isOpen, children }: AdvancedProps) {
  return (
    <details className="advanced" open={isOpen}>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
