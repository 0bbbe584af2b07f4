// A secret that is shown this once and never again: with a plain warning, and a way to copy it.

import { TriangleAlert } from "lucide-react";
import { CopyButton } from "../components/copy-button.tsx";
import "./secret-once.css";

interface SecretOnceProps {
  /** What it is: "Registration token". */
  label: string;
  secret: string;
  /** Why it must be kept now. */
  warning: string;
}

export function SecretOnce({ label, secret, warning }: SecretOnceProps) {
  return (
    <section className="secret-once" aria-label={label}>
      <p className="secret-warning">
        <TriangleAlert aria-hidden="true" />
        <span>{warning}</span>
      </p>
      <div className="row">
        <code>{secret}</code>
        <CopyButton text={secret} />
      </div>
    </section>
  );
}
