// A dialog that shows a secret once. Only the dialog's own button closes it.

import type { ReactNode } from "react";
import { SecretOnce, type SecretOnceProps } from "../../fields/secret-once.tsx";
import { texts } from "../../texts/index.ts";
import { Button } from "../buttons/button.tsx";
import { Dialog } from "./dialog.tsx";

interface SecretDialogProps extends SecretOnceProps {
  title: string;
  wide?: boolean;
  onClose: () => void;
  children?: ReactNode;
}

export function SecretDialog(props: SecretDialogProps) {
  const { title, wide = false, onClose, children, ...once } = props;
  return (
    <Dialog
      title={title}
      wide={wide}
      onClose={onClose}
      isHeld
      actions={
        <Button kind="primary" onClick={onClose}>
          {texts.words.close}
        </Button>
      }
    >
      <SecretOnce {...once} />
      {children}
    </Dialog>
  );
}
