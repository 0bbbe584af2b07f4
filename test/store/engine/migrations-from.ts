import { inOrder } from "../../../src/store/engine/migrations.ts";

/** Returns migrations with these names and texts. */
export function migrationsFrom(texts: Readonly<Record<string, string>>) {
  return inOrder(Object.keys(texts), 1, (name) => texts[name]!);
}
