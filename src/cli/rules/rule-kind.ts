// Describes routes, schedules and policies for their common commands. Users write each as YAML.

export interface RuleKind {
  /** For sentences, and the name of the file in an editor: `route`. */
  one: string;
  /** With its article: `a route`. */
  a: string;
  /**
   * The fields that can be written. A list contains the allowed subfields; null means any value.
   */
  fields: Readonly<Record<string, readonly string[] | null>>;
  /** Fields of `get -o yaml` that a file may contain, but that are ignored. */
  readOnly: readonly string[];
  /** Describes the fields in the editor. */
  explanation: string;
  /** Fields that keep their values if a text leaves them out. */
  kept: readonly string[];
}
