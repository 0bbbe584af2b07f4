// Selectors choose agents, services or commands by labels: `region=eu,tier in (web,api),!canary`.
// The grammar is that of Kubernetes. Labels with characters other than letters, digits and `_./:-`
// are written as JSON strings: `owner="Ann, Ops"`.

import { maxSelectorRequirements, maxSelectorValues } from "../limits.ts";

/** Every requirement of a selector must be met. */
export interface Requirement {
  key: string;
  /**
   * `in` and `exists` need the label. `notIn` and `missing` also match items without it.
   * The values of `exists` and `missing` are empty.
   */
  operator: "in" | "notIn" | "exists" | "missing";
  values: readonly string[];
}

export type Selector = readonly Requirement[];

/** The message is part of a sentence: `needs "(" at its end`. */
export class SelectorError extends Error {}

/** An empty text becomes an empty list, which selects everything. Throws SelectorError. */
export function parseSelector(text: string): Selector {
  const parser = new Parser(tokensOf(text));
  const selector = parser.selector();
  const values = selector.reduce((sum, requirement) => sum + requirement.values.length, 0);
  if (selector.length > maxSelectorRequirements) {
    throw new SelectorError(`must have at most ${maxSelectorRequirements} requirements`);
  }
  if (values > maxSelectorValues) {
    throw new SelectorError(`must have at most ${maxSelectorValues} values`);
  }
  return selector;
}

/** Whether `parseSelector` accepts the text. */
export function isSelector(text: string): boolean {
  try {
    parseSelector(text);
    return true;
  } catch {
    return false;
  }
}

/** Whether the selector matches items with these labels. */
export function isSelected(selector: Selector, labels: Readonly<Record<string, string>>): boolean {
  return selector.every(({ key, operator, values }) => {
    const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
    const fits = value !== undefined && (values.length === 0 || values.includes(value));
    return isNegative(operator) ? !fits : fits;
  });
}

/** Whether the operator matches items without the label. */
export function isNegative(operator: Requirement["operator"]): boolean {
  return operator === "notIn" || operator === "missing";
}

/** Returns a text that `parseSelector` turns into the same selector. */
export function formatSelector(selector: Selector): string {
  return selector.map(formatRequirement).join(",");
}

function formatRequirement({ key, operator, values }: Requirement): string {
  const name = quoted(key);
  const not = isNegative(operator);
  if (values.length === 0) return `${not ? "!" : ""}${name}`;
  if (values.length === 1) return `${name}${not ? "!=" : "="}${quoted(values[0])}`;
  return `${name} ${not ? "notin" : "in"} ${listOf(values)}`;
}

function listOf(values: readonly string[]): string {
  return `(${values.map(quoted).join(",")})`;
}

/** Returns a label's name or value as it is written in a selector. */
export function quoted(text = ""): string {
  return plainWord.test(text) ? text : JSON.stringify(text);
}

interface Token {
  kind: "word" | "string" | "," | "=" | "!=" | "(" | ")" | "!" | "end";
  /** The content of a string; otherwise the token as it is written. */
  text: string;
}

/** Excludes colons, so that a label's name is never mistaken for `name:value`. */
const plainWord = /^[\p{L}\p{N}_./-]+$/u;
/** Matches the next token. The expression is sticky, so it matches only at its `lastIndex`. */
const next =
  /\s*(?:(?<word>[\p{L}\p{N}_./:-]+)|(?<string>"(?:[^"\\]|\\.)*")|(?<sign>==?|!=|[,()!]))/uy;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  next.lastIndex = 0;
  for (let at = 0; at < end; at = next.lastIndex) {
    next.lastIndex = at;
    const found = next.exec(text);
    if (found === null) throw unknownCharacter(text, at);
    const { word, string, sign = "" } = found.groups ?? {};
    if (word !== undefined) tokens.push({ kind: "word", text: word });
    else if (string !== undefined) tokens.push({ kind: "string", text: unquoted(string) });
    else tokens.push({ kind: (sign === "==" ? "=" : sign) as Token["kind"], text: sign });
  }
  tokens.push({ kind: "end", text: "" });
  return tokens;
}

function unknownCharacter(text: string, at: number): SelectorError {
  const [character = ""] = text.slice(at).trimStart();
  const where = `at character ${text.length - text.slice(at).trimStart().length + 1}`;
  if (character === '"') return new SelectorError(`has a quotation mark without an end ${where}`);
  if (character === "<" || character === ">") {
    return new SelectorError(`cannot compare with ${character}; use =, !=, in or notin`);
  }
  if (/['‘’“”`]/.test(character)) {
    return new SelectorError(`has ${character} ${where}; write quotation marks as in tier="web 1"`);
  }
  const problem = `has an unexpected ${JSON.stringify(character)} ${where}`;
  return new SelectorError(`${problem}; write labels with such characters in quotation marks`);
}

function unquoted(text: string): string {
  try {
    return JSON.parse(text);
  } catch {
    throw new SelectorError(`has an invalid string ${text}; write it as in JSON`);
  }
}

class Parser {
  readonly #tokens: Token[];
  #at = 0;

  constructor(tokens: Token[]) {
    this.#tokens = tokens;
  }

  selector(): Requirement[] {
    const requirements: Requirement[] = [];
    if (this.#isAtEnd()) return requirements;
    do requirements.push(this.#requirement());
    while (this.#takes(","));
    if (!this.#isAtEnd()) throw this.#expected('","');
    return requirements;
  }

  #requirement(): Requirement {
    if (this.#takes("!")) return { key: this.#key(), operator: "missing", values: [] };
    const isQuoted = this.#next.kind === "string";
    const key = this.#key();
    if (this.#takes("=")) return { key, operator: "in", values: [this.#value()] };
    if (this.#takes("!=")) return { key, operator: "notIn", values: [this.#value()] };
    if (this.#takesWord("in")) return { key, operator: "in", values: this.#values() };
    if (this.#takesWord("notin")) return { key, operator: "notIn", values: this.#values() };
    if (!isQuoted && key.includes(":")) {
      const [name, ...value] = key.split(":");
      throw new SelectorError(`has ${key}; write ${name}=${value.join(":")}, or "${key}"`);
    }
    return { key, operator: "exists", values: [] };
  }

  #key(): string {
    const { kind, text } = this.#next;
    if (kind !== "word" && kind !== "string") throw this.#expected("the key of a label");
    if (text === "") throw new SelectorError("must not have an empty label key");
    this.#at++;
    return text;
  }

  /** An empty value needs no quotation marks: `region=`. */
  #value(): string {
    const { kind, text } = this.#next;
    if (kind === "," || kind === ")" || kind === "end") return "";
    if (kind !== "word" && kind !== "string") throw this.#expected("a value");
    this.#at++;
    return text;
  }

  #values(): string[] {
    if (!this.#takes("(")) throw this.#expected('"("');
    const values = new Set<string>();
    do values.add(this.#value());
    while (this.#takes(","));
    if (!this.#takes(")")) throw this.#expected('"," or ")"');
    return [...values];
  }

  #takes(kind: Token["kind"]): boolean {
    if (this.#next.kind !== kind) return false;
    this.#at++;
    return true;
  }

  #takesWord(word: string): boolean {
    const { kind, text } = this.#next;
    if (kind !== "word" || text !== word) return false;
    this.#at++;
    return true;
  }

  #expected(what: string): SelectorError {
    const { kind, text } = this.#next;
    const place = kind === "end" ? "at its end" : `before ${JSON.stringify(text)}`;
    return new SelectorError(`needs ${what} ${place}${this.#hintAtSpace()}`);
  }

  /** A value with a space looks like two words: `tier=my web`. */
  #hintAtSpace(): string {
    const [sign, start, rest, after] = this.#tokens.slice(Math.max(0, this.#at - 2));
    const isValue = ["=", "!=", "("].includes(sign?.kind ?? "") && start?.kind === "word";
    const isDivided = isValue && rest?.kind === "word" && !["=", "!="].includes(after?.kind ?? "");
    const isOperator = /^(and|or|in|notin)$/i.test(rest?.text ?? "");
    return isDivided && !isOperator
      ? `; if it is one value, write "${start.text} ${rest.text}"`
      : "";
  }

  #isAtEnd(): boolean {
    return this.#next.kind === "end";
  }

  get #next(): Token {
    return this.#tokens[Math.min(this.#at, this.#tokens.length - 1)] as Token;
  }
}
