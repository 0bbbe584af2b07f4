// A password that was made up here, after it was saved: shown this once.

import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { SecretOnce } from "../../fields/secret-once.tsx";
import { texts } from "../../texts/index.ts";

interface PasswordDialogProps {
  title: string;
  username: string;
  password: string;
  onClose: () => void;
}

export function PasswordDialog({ title, username, password, onClose }: PasswordDialogProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      isHeld
      actions={
        <Button kind="primary" onClick={onClose}>
          {texts.words.close}
        </Button>
      }
    >
      <SecretOnce
        label={texts.users.password}
        secret={password}
        warning={texts.users.tellThem(username)}
      />
    </Dialog>
  );
}
