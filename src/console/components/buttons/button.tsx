import type { ComponentProps, ReactNode } from "react";
import { Link, type LinkProps } from "react-router";
import { texts } from "../../texts/index.ts";
import "./button.css";

export type ButtonKind = "primary" | "plain" | "danger" | "quiet";

interface ButtonProps extends ComponentProps<"button"> {
  kind?: ButtonKind;
  /** Shows that the button's action is running, and ignores clicks. */
  busy?: boolean;
  icon?: ReactNode;
}

export function Button({ kind = "plain", busy = false, icon, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button button-${kind}`}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : rest.onClick}
    >
      {busy ? <Spinner /> : icon}
      <span>{busy ? texts.words.working : children}</span>
    </button>
  );
}

export function Spinner() {
  return <span className="spinner" aria-hidden="true" />;
}

/** Whether button.css can show the label of an icon button. Otherwise its `title` shows it. */
const hasTips = typeof CSS !== "undefined" && CSS.supports("anchor-scope", "all");

interface IconButtonProps extends ComponentProps<"button"> {
  /** Read out by screen readers, and shown below the button while it is hovered or focused. */
  label: string;
  icon: ReactNode;
}

export function IconButton({ label, icon, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className="button button-icon"
      aria-label={label}
      title={hasTips ? undefined : label}
    >
      {icon}
    </button>
  );
}

export function ButtonLink({ kind = "plain", ...rest }: LinkProps & { kind?: ButtonKind }) {
  return <Link {...rest} className={`button button-${kind}`} />;
}
