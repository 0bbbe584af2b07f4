// The payload as part of a larger form. Until an action is chosen, there is nothing to enter.

import type { ComponentProps } from "react";
import { texts } from "../../texts/index.ts";
import { PayloadEditor } from "./payload-editor.tsx";

interface PayloadPartProps extends Omit<ComponentProps<typeof PayloadEditor>, "id" | "issues"> {
  /** The id of the form element. */
  form: string;
  /** Whether the search for the action has finished. */
  isKnown: boolean;
}

export function PayloadPart({ form, isKnown, ...editor }: PayloadPartProps) {
  if (isKnown) return <PayloadEditor {...editor} id={form} issues={[]} />;
  return (
    <form
      id={form}
      onSubmit={(event) => {
        event.preventDefault();
        editor.onSubmit({});
      }}
    >
      <p className="muted">{texts.rollouts.form.chooseFirst}</p>
    </form>
  );
}
