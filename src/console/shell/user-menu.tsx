// The menu of the signed-in user: the look of the pages, the account, and the sign-out.

import { ChevronsUpDown, CircleUser, LogOut } from "lucide-react";
import { useEffect, useId, useRef } from "react";
import { useLocation } from "react-router";
import { capitalized } from "../../lib/capitalized.ts";
import { useMe } from "../client/session.ts";
import { ButtonLink } from "../components/buttons/button.tsx";
import { ChoiceField } from "../fields/inputs.tsx";
import { personName } from "../format/person.ts";
import { texts } from "../texts/index.ts";
import { timeStyle, timeStyles } from "../values/time-style.ts";
import { SignOutButton } from "./sign-out-button.tsx";
import { ThemeChoice } from "./theme-choice.tsx";
import "./user-menu.css";

export function UserMenu() {
  const { installation, user } = useMe();
  const id = useId();
  const menu = useRef<HTMLDivElement>(null);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes when another page opens
  useEffect(() => menu.current?.hidePopover(), [key]);
  const name = personName(user);
  const { times } = texts.shell;
  const role = capitalized(texts.users.roles[user.role]);
  return (
    <>
      <button type="button" className="user-button" popoverTarget={id}>
        <CircleUser aria-hidden="true" />
        <span className="nav-text">
          {name}
          <span className="muted small">{role}</span>
        </span>
        <ChevronsUpDown className="nav-text" aria-hidden="true" />
      </button>
      <div id={id} ref={menu} popover="auto" className="user-menu floating">
        <ThemeChoice />
        <ChoiceField
          label={times.label}
          value={timeStyle.use()}
          options={timeStyles.map((each) => [each, times[each]] as const)}
          onChange={timeStyle.set}
        />
        <ButtonLink kind="quiet" to="/account">
          <CircleUser aria-hidden="true" />
          {texts.account.title}
        </ButtonLink>
        <SignOutButton kind="quiet" icon={<LogOut aria-hidden="true" />} />
        <p className="small muted">{installation.version}</p>
      </div>
    </>
  );
}
