// What somebody may see and do, by the role that each route needs.

import type { Noun } from "../../api/contract/noun.ts";
import { mayActAs } from "../../domain/principals.ts";
import { useMe } from "../client/session.ts";

/** Whether they may call the route of the noun that is called so: `list`, `delete`. */
export type Rights = (noun: Noun, word: string) => boolean;

export function useRights(): Rights {
  const { user, installation } = useMe();
  return ({ access, bus }, word) => {
    const needed = access[word];
    return needed !== undefined && mayActAs(user.role, needed) && (!bus || installation.busEnabled);
  };
}
