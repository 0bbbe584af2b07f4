// Ends the session, and reports a failure: users of a shared computer must know if they are still
// signed in.

import type { ReactNode } from "react";
import { signOut } from "../client/session.ts";
import { useSingleMutation } from "../client/use-single-mutation.ts";
import { Button, type ButtonKind } from "../components/buttons/button.tsx";
import { messageOf } from "../components/failure.tsx";
import { useNotice } from "../components/notices.tsx";
import { texts } from "../texts/index.ts";

export function SignOutButton({ kind, icon }: { kind: ButtonKind; icon?: ReactNode }) {
  const { isBusy, leave } = useLeave();
  return (
    <Button kind={kind} icon={icon} busy={isBusy} onClick={leave}>
      {texts.shell.signOut}
    </Button>
  );
}

export function useLeave(): { isBusy: boolean; leave: () => void } {
  const notify = useNotice();
  const { isPending, mutate } = useSingleMutation({
    mutationFn: signOut,
    onError: (error) => notify(texts.shell.stillSignedIn({ why: messageOf(error) })),
  });
  return { isBusy: isPending, leave: () => mutate() };
}
