import { texts } from "../texts/index.ts";

/** Includes the username, because several users can have the same display name. */
export function personName(of: { username: string; displayName: string | null }): string {
  const { username, displayName } = of;
  return displayName ? displayName + texts.words.aside({ text: username }) : username;
}
