// The names of the routes that export lists. Browsers load them, so nothing here can use schemas.

/** `agents.list` becomes `agents.export`; `rollouts.targets` becomes `rollouts.export-targets`. */
export type ExportName<List extends string> = List extends `${infer Noun}.list`
  ? `${Noun}.export`
  : List extends `${infer Noun}.${infer Word}`
    ? `${Noun}.export-${Word}`
    : never;

export function exportNameOf<List extends string>(list: List): ExportName<List> {
  const [noun, word] = list.split(".");
  return (word === "list" ? `${noun}.export` : `${noun}.export-${word}`) as ExportName<List>;
}
