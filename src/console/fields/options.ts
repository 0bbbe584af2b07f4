/** Returns one option for each text. */
export function optionsOf<K extends string>(names: Readonly<Record<K, string>>) {
  return Object.entries(names) as [value: K, text: string][];
}
