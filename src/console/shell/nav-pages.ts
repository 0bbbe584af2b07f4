// The pages of the navigation that the user's role and the server's configuration allow.

import { mayActAs } from "../../domain/access/principals.ts";
import { useMe } from "../client/session.ts";
import { type ConsolePage, pages } from "./pages.ts";

export type NavPage = ConsolePage & Required<Pick<ConsolePage, "nav">>;

export function useNavPages(): NavPage[] {
  const { user, installation } = useMe();
  return pages.filter((page): page is NavPage => {
    const { nav, role = "viewer", bus } = page;
    return nav !== undefined && mayActAs(user.role, role) && (!bus || installation.busEnabled);
  });
}
