// A complete id, with a button that copies it.

import { CopyIcon } from "../components/buttons/copy-button.tsx";
import { softBreaks } from "../components/text/soft-breaks.tsx";
import { texts } from "../texts/index.ts";
import "./id-value.css";

export function IdValue({ id }: { id: string }) {
  return (
    <span className="id-value">
      <code>{softBreaks(id)}</code>
      <CopyIcon text={id} label={texts.words.copyId} />
    </span>
  );
}
