// The footer of a long form, which stays at the bottom of the window. It links to the fields with
// errors and has the buttons, with the primary one last.

import type { ReactNode } from "react";
import { texts } from "../texts/index.ts";
import { useInvalidFields } from "./invalid-fields.ts";
import "./form-footer.css";

interface FormFooterProps {
  /** Shown beside the buttons. */
  note?: ReactNode;
  children: ReactNode;
}

export function FormFooter({ note, children }: FormFooterProps) {
  const invalid = useInvalidFields();
  return (
    <footer className="row form-footer">
      <div className="form-footer-says small" role="status">
        {invalid.length > 0 ? (
          <>
            <span className="field-error">{texts.words.errorsIn({ many: invalid.length })}</span>{" "}
            {invalid.map(({ element, label }, at) => (
              <span key={element.id || at}>
                {at > 0 && texts.words.comma}
                <button type="button" className="link-button" onClick={() => element.focus()}>
                  {label}
                </button>
              </span>
            ))}
          </>
        ) : (
          note
        )}
      </div>
      {children}
    </footer>
  );
}
