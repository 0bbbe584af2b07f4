import { Fragment } from "react";
import "./shortcuts.css";

/** The keys of a shortcut. `between` is a word between the keys, if they are pressed in turn. */
export function KeyCaps({ keys, between }: { keys: readonly string[]; between?: string }) {
  return (
    <span className="key-caps">
      {keys.map((key, at) => (
        <Fragment key={key}>
          {at > 0 && between && <span className="muted small"> {between} </span>}
          <kbd>{key}</kbd>
        </Fragment>
      ))}
    </span>
  );
}
