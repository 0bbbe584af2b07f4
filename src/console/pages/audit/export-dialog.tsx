// Taking the audit trail away: a link for each format, which the browser follows by itself.

import { exportFormats } from "../../../domain/audit/audit-events.ts";
import { hrefOf } from "../../client/call.ts";
import { Dialog } from "../../components/dialog.tsx";
import { texts } from "../../texts/index.ts";

const words = texts.audit.export;

interface ExportDialogProps {
  /** Those of the list. */
  filters: Record<string, string>;
  isFiltered: boolean;
  onClose: () => void;
}

export function ExportDialog({ filters, isFiltered, onClose }: ExportDialogProps) {
  return (
    <Dialog title={words.title} onClose={onClose}>
      <p>
        {isFiltered ? words.filtered : words.all} {words.audited}
      </p>
      <ul className="audit-formats">
        {exportFormats.map((format) => (
          <li key={format}>
            <a
              className="button"
              download
              href={hrefOf("audit-events.export", { query: { format, ...filters } as never })}
            >
              {words.formats[format]}
            </a>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
