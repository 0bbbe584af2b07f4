// Texts with arguments, in the subset of ICU MessageFormat that the console needs:
//
//   Rows {first} to {last}
//   {many, plural, =0 {no rows} one {# row} other {# rows}}
//
// Numbers are written as the language writes them: `1,234`. Braces cannot be quoted, so a code
// sample with braces must be an argument. The form `bound`, for texts such as `more than 10,000`,
// is not part of ICU MessageFormat.

/** A number, or the text of a total that is only a lower bound: `more than 10,000`. */
export type Amount = number | string;

/** Texts by name, as in the file of a language. */
export interface TextTree {
  readonly [name: string]: string | TextTree;
}

/** The same tree, with functions instead of the texts that have arguments. */
export type TextsOf<Tree> = {
  readonly [Name in keyof Tree]: Tree[Name] extends string
    ? [ArgumentsOf<Tree[Name]>] extends [never]
      ? string
      : Message<ArgumentsOf<Tree[Name]>>
    : TextsOf<Tree[Name]>;
};

export interface Message<Name extends string> {
  (values: Readonly<Record<Name, string | number>>): string;
  /** Returns the text in pieces, for values that are not text, such as links. */
  pieces: (values: Readonly<Record<Name, unknown>>) => unknown[];
}

/** The names of the arguments of a message, as a union: `"first" | "last"`. */
type ArgumentsOf<Text extends string, Found = never> = Text extends `${infer Before}{${infer After}`
  ? Before extends `${string}}${infer Forms}`
    ? InForms<`${Forms}{${After}`, Found>
    : InArgument<After, Found>
  : Text extends `${string}}${infer Forms}`
    ? InForms<Forms, Found>
    : Found;

/** `Text` begins after the brace that opens an argument. */
type InArgument<Text extends string, Found> = Text extends `${infer Name}}${infer After}`
  ? Name extends `${infer Counted}, plural,${string}`
    ? Text extends `${Counted}, plural,${infer Forms}`
      ? InForms<Forms, Found | Counted>
      : never
    : ArgumentsOf<After, Found | Name>
  : never;

/** `Text` begins between two forms of a plural, or after the last form. */
type InForms<Text extends string, Found> = Text extends `${infer Before}{${infer Form}`
  ? Before extends `${string}}${infer After}`
    ? ArgumentsOf<`${After}{${Form}`, Found>
    : ArgumentsOf<Form, Found>
  : Text extends `${string}}${infer After}`
    ? ArgumentsOf<After, Found>
    : never;

/**
 * Turns each text of a language into a function if the English text has arguments. English texts
 * replace missing ones. Throws a SyntaxError if a text is not a valid message.
 */
export function textsIn<English extends TextTree>(
  locale: string,
  own: TextTree,
  english: English,
): TextsOf<English> {
  const { format } = new Intl.NumberFormat(locale);
  const rules = new Intl.PluralRules(locale);

  function inTree(tree: TextTree, original: TextTree): unknown {
    const texts = Object.entries(original).map(([name, each]) => {
      const text = tree[name] ?? each;
      if (typeof each !== "string") return [name, inTree(text as TextTree, each)];
      return [name, each.includes("{") ? messageOf(parse(text as string)) : text];
    });
    return Object.fromEntries(texts);
  }

  function messageOf(parts: readonly Part[]): Message<string> {
    const pieces = (values: Values) => piecesOf(parts, values);
    return Object.assign((values: Values) => pieces(values).join(""), { pieces });
  }

  function piecesOf(parts: readonly Part[], values: Values): unknown[] {
    return parts.flatMap((part) => {
      if (typeof part === "string") return part;
      const { name, forms } = part;
      const value = values[name];
      if (!forms) return [typeof value === "number" ? format(value) : value];
      const rule = typeof value === "number" ? rules.select(value) : "bound";
      return piecesOf(forms[`=${value}`] ?? forms[rule] ?? forms.other, values);
    });
  }

  return inTree(own, english) as TextsOf<English>;
}

type Values = Readonly<Record<string, unknown>>;

/** A text, or an argument in it. */
export type Part = string | { name: string; forms?: Forms };

/** The forms of a plural by number (`=0`) or plural rule (`one`), and `bound` for a lower bound. */
type Forms = Record<string, readonly Part[]> & { other: readonly Part[] };

/** Throws a SyntaxError that says what is wrong with the text. */
export function parse(text: string): readonly Part[] {
  let rest = text;

  function take(pattern: RegExp): RegExpExecArray | null {
    const found = pattern.exec(rest);
    if (found) rest = rest.slice(found[0].length);
    return found;
  }

  function partsIn(counted?: string): Part[] {
    const parts: Part[] = [];
    while (rest !== "" && !rest.startsWith("}")) {
      const plain = take(counted ? /^[^{}#]+/ : /^[^{}]+/);
      if (plain) parts.push(plain[0]);
      else if (counted && take(/^#/)) parts.push({ name: counted });
      else parts.push(argument());
    }
    return parts;
  }

  function argument(): Part {
    const [, name = "", isPlural] = take(/^\{(\w+)(, plural,)?\s*/) ?? fail();
    const forms: Record<string, Part[]> = {};
    while (isPlural && !rest.startsWith("}")) {
      const [, form = ""] = take(/^(=\d+|\w+)\s*\{/) ?? fail();
      forms[form] = partsIn(name);
      take(/^\}\s*/) ?? fail();
    }
    const { other } = forms;
    if (!take(/^\}/) || (isPlural && !other)) fail();
    return other ? { name, forms: { ...forms, other } } : { name };
  }

  function fail(): never {
    throw new SyntaxError(`cannot be read at “${rest}”`);
  }

  const parts = partsIn();
  return rest === "" ? parts : fail();
}
