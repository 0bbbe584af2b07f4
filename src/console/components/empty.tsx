import type { ReactNode } from "react";
import "./empty.css";

export function Empty({ children }: { children: ReactNode }) {
  return <div className="empty">{children}</div>;
}
