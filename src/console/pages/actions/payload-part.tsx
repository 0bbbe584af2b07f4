// The payload as part of a larger form. Until an action is chosen, there is nothing to enter, and
// the payload stays as it is. During the search for the action, there is no form to submit.

import { type ComponentProps, useLayoutEffect } from "react";
import { texts } from "../../texts/index.ts";
import { PayloadEditor } from "./payload-editor.tsx";

interface PayloadPartProps extends Omit<ComponentProps<typeof PayloadEditor>, "id" | "issues"> {
  /** The id of the form element. */
  form: string;
  /** Whether the search for the chosen action has finished. */
  isKnown: boolean;
  /** Whether the search is running. */
  isLooking?: boolean;
  /** Called when the search begins or ends, so that the submit button can be busy meanwhile. */
  onLooking?: (isLooking: boolean) => void;
}

export function PayloadPart(props: PayloadPartProps) {
  const { form, isKnown, isLooking = false, onLooking, ...editor } = props;
  useLayoutEffect(() => {
    if (!isLooking) return;
    onLooking?.(true);
    return () => onLooking?.(false);
  }, [isLooking, onLooking]);
  if (isKnown) return <PayloadEditor {...editor} id={form} issues={[]} />;
  if (isLooking) return <p className="muted">{texts.words.loading}</p>;
  return (
    <form
      id={form}
      onSubmit={(event) => {
        event.preventDefault();
        editor.onSubmit(editor.payload);
      }}
    >
      <p className="muted">{texts.rollouts.form.chooseFirst}</p>
    </form>
  );
}
