// The form that is generated from an action's schema, and its JSON view.

import type { Amount } from "../amounts.ts";
import { plural } from "./amounts.ts";

const characters = (many: Amount) => plural(many, { one: "# character", other: "# characters" });
const items = (many: Amount) => plural(many, { one: "# item", other: "# items" });
const fields = (many: Amount) => plural(many, { one: "# field", other: "# fields" });

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number, such as 12.5",
  integer: "a whole number",
  boolean: "yes or no",
  object: "an object",
  array: "a list",
  null: "nothing",
};

export const schemaForm = {
  view: "Input view",
  form: "Form",
  asJson: "JSON",
  jsonHint: "A JSON object. The form and this text show the same payload.",
  hiddenHint:
    "A JSON object. The form and this text show the same payload. Each •••••• is in the place of a secret: leave it to keep the secret, or replace it.",
  mendJson: "Correct the JSON first: the form cannot show invalid JSON.",
  noForm: {
    tooLarge: "The form of this action is too large to show. Enter the payload as JSON.",
    noObject: "This action declares no fields. If it needs a payload, enter it as JSON.",
    broken: "The form of this action cannot be shown. Enter the payload as JSON.",
  },
  wrong: "The payload does not match the action's schema:",
  jsonOnly: "This part can only be entered as JSON.",
  choose: "Choose …",
  option: (number: number) => `Option ${number}`,
  kind: "Kind",
  keyOf: (name: string) => `Name of ${name}`,
  add: (what: string) => `Add to ${what}`,
  addProperty: (what: string) => `Add a field to ${what}`,
  remove: (what: string) => `Remove ${what}`,
  moveUp: (what: string) => `Move ${what} up`,
  moveDown: (what: string) => `Move ${what} down`,
  item: (list: string, number: number) => `${list} ${number}`,
  items: "Items",
  itemWord: "item",
  fields: "Fields",
  hints: {
    between: (low: number, high: number) => `${low} to ${high}.`,
    atLeast: (low: number) => `At least ${low}.`,
    atMost: (high: number) => `At most ${high}.`,
    lengthBetween: (low: number, high: number) => `${low} to ${high} characters.`,
    lengthAtLeast: (low: number) => `At least ${characters(low)}.`,
    lengthAtMost: (high: number) => `At most ${characters(high)}.`,
    itemsBetween: (low: number, high: number) => `${low} to ${high} items.`,
    itemsAtLeast: (low: number) => `At least ${items(low)}.`,
    itemsAtMost: (high: number) => `At most ${items(high)}.`,
    unique: "No duplicates.",
    multipleOf: (step: number) => `In steps of ${step}.`,
    mustMatch: (pattern: string) => `Must match ${pattern}`,
    manyChoices: (many: Amount) =>
      plural(many, {
        one: "The only value that the agent accepts.",
        other: "One of # values that the agent accepts.",
      }),
  },
  issues: {
    required: "This is required.",
    type: (wanted: string[]) =>
      `This must be ${wanted.map((each) => kinds[each] ?? each).join(" or ")}.`,
    enum: (choices: string[]) =>
      choices.length <= 8
        ? `This must be one of ${choices.join(", ")}.`
        : "This is not one of the allowed values.",
    const: (value: string) => `This must be ${value}.`,
    format: (name: string) => `This is not a valid ${name}.`,
    pattern: "This does not match the pattern.",
    uniqueItems: "The list contains an item twice.",
    choice: "This matches none of the choices, or more than one.",
    unknown: (name: string) => `${name} is not allowed here.`,
    numbers: {
      minimum: (low: number) => `This must be at least ${low}.`,
      maximum: (high: number) => `This must be ${high} or less.`,
      exclusiveMinimum: (low: number) => `This must be more than ${low}.`,
      exclusiveMaximum: (high: number) => `This must be less than ${high}.`,
      multipleOf: (step: number) => `This must be a multiple of ${step}.`,
      minLength: (low: number) => `This must have at least ${characters(low)}.`,
      maxLength: (high: number) => `This must have ${characters(high)} or fewer.`,
      minItems: (low: number) => `This must have at least ${items(low)}.`,
      maxItems: (high: number) => `This must have ${items(high)} or fewer.`,
      minProperties: (low: number) => `This must have at least ${fields(low)}.`,
      maxProperties: (high: number) => `This must have ${fields(high)} or fewer.`,
    },
  },
  json: {
    wrong: "This is not JSON.",
    wrongAt: (line: number, column: number) => `This is not JSON: line ${line}, column ${column}.`,
    noObject: "A payload must be an object: { … }.",
    unknownSecret: "This text contains •••••• where no secret is known. Write the value there.",
  },
};
