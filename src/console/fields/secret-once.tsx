import { TriangleAlert } from "lucide-react";
import { CopyButton } from "../components/copy-button.tsx";
import "./secret-once.css";

interface SecretOnceProps {
  label: string;
  secret: string;
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
