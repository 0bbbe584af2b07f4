// What stands where there is nothing to show, and what to do about it.

import type { ReactNode } from "react";
import "./empty.css";

export function Empty({ children }: { children: ReactNode }) {
  return <div className="empty">{children}</div>;
}
