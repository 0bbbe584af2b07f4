// The payload as part of a larger form. Until an action is chosen, there is nothing to enter, and
// the payload stays as it is. Until the action is found, the form cannot be sent.

import type { ComponentProps } from "react";
import { texts } from "../../texts/index.ts";
import { PayloadEditor } from "./payload-editor.tsx";

interface PayloadPartProps extends Omit<ComponentProps<typeof PayloadEditor>, "id" | "issues"> {
  /** The id of the form element. */
  form: string;
  /** Whether the search for the chosen action has finished. */
  isKnown: boolean;
  /** Whether the search is running. */
  isLooking?: boolean;
}

export function PayloadPart({ form, isKnown, isLooking, ...editor }: PayloadPartProps) {
  if (isKnown) return <PayloadEditor {...editor} id={form} issues={[]} />;
  return (
    <form
      id={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (isLooking) editor.onRefused?.();
        else editor.onSubmit(editor.payload);
      }}
    >
      <p className="muted">{isLooking ? texts.words.loading : texts.rollouts.form.chooseFirst}</p>
    </form>
  );
}
