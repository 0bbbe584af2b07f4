// Who is signed in, at the sidebar's foot: the way to one's account, and out.

import { CircleUser, LogOut } from "lucide-react";
import { NavLink } from "react-router";
import { useMe } from "../client/session.ts";
import { texts } from "../texts/index.ts";
import { SignOutButton } from "./sign-out-button.tsx";

export function Person() {
  const { user } = useMe();
  return (
    <>
      <NavLink className="person" to="/account">
        <CircleUser aria-hidden="true" />
        <span>{texts.shell.signedInAs(user.username, user.role)}</span>
      </NavLink>
      <SignOutButton kind="quiet" icon={<LogOut />} />
    </>
  );
}
