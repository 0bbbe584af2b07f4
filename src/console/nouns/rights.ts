// The routes that the user may call, by the role that each route requires.

import type { Noun } from "../../api/contract/noun.ts";
import { mayActAs } from "../../domain/access/principals.ts";
import { useMe } from "../client/session.ts";

/** Whether the user may call this route of the noun, such as `list` or `delete`. */
export type Rights = (noun: Noun, word: string) => boolean;

export function useRights(): Rights {
  const { user, installation } = useMe();
  return ({ access, bus }, word) => {
    const needed = access[word];
    return needed !== undefined && mayActAs(user.role, needed) && (!bus || installation.busEnabled);
  };
}
