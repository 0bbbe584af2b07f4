// Shown where there are no items, with advice on what to do.

import type { ReactNode } from "react";
import "./empty.css";

export function Empty({ children }: { children: ReactNode }) {
  return <div className="empty">{children}</div>;
}
