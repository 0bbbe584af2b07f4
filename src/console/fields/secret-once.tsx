import { TriangleAlert } from "lucide-react";
import { CopiedCode } from "../components/buttons/copy-button.tsx";
import "./secret-once.css";

export interface SecretOnceProps {
  label: string;
  secret: string;
  warning: string;
}

export function SecretOnce({ label, secret, warning }: SecretOnceProps) {
  return (
    <section className="card note" aria-label={label}>
      <p className="secret-warning">
        <TriangleAlert aria-hidden="true" />
        <span>{warning}</span>
      </p>
      <CopiedCode text={secret} />
    </section>
  );
}
