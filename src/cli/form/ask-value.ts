// Asks for one value, and asks again until the value is valid by the server's rules.

import type { Field, FieldOf } from "../../domain/form/form.ts";
import { emptyValue, numberIn } from "../../domain/form/values.ts";
import { problemOfPart } from "../../domain/payload/check.ts";
import type { Json, JsonObject } from "../../domain/payload/json.ts";
import { isExact, problemOfNumbers } from "../../lib/json/exact-numbers.ts";
import { CliError, exit } from "../exit.ts";
import { askChoice, askChoices, askHidden, askText, askYesNo } from "../terminal/prompts.ts";
import { valueLine } from "./lines.ts";
import { complaintOf, nameOf } from "./words.ts";

interface ValueQuestion<F extends Field = Field> {
  field: F;
  /** The field's name, and which values it accepts. */
  label: string;
  current: Json | undefined;
  /** The action's schema, needed to resolve references. */
  whole: JsonObject;
}

interface Named {
  value: Json;
  name: string;
}

/** Undefined omits the field. */
export type Answer = Json | undefined;

type Reading = { value: Answer } | { problem: string };

/** Asks for text, numbers and JSON. */
export async function askTyped(question: ValueQuestion): Promise<Answer> {
  const { field, current, label } = question;
  const read = readerOf(field);
  // The prompt shows a long or unprintable value shortened and escaped. Enter keeps the real value.
  const shown = current === undefined || current === null ? "" : valueLine(current);
  const readText = (text: string): Reading =>
    text === shown && current !== undefined ? { value: current } : read(question, text);
  const text = await askText({
    message: label,
    suggestion: shown,
    problemOf: (typed) => problemOf(question, readText(typed)),
  });
  return answerOf(readText(text));
}

export async function askSecret(question: ValueQuestion): Promise<Answer> {
  const { current, field } = question;
  const read = readerOf(field);
  const keep = current !== undefined;
  const readSecret = (text: string): Reading =>
    text === "" && keep ? { value: current } : read(question, text);
  // Problems with values other than text may quote the secret, so a general message replaces them.
  const hiddenProblem = (problem: string | null) =>
    problem === null || field.kind === "text"
      ? problem
      : complaintOf(field, "This value is not valid.");
  const text = await askHidden({
    message: keep ? `${question.label} (press Enter to keep the value)` : question.label,
    problemOf: (typed) => hiddenProblem(problemOf(question, readSecret(typed))),
  });
  return answerOf(readSecret(text));
}

export async function askFlag({ field, label, current }: ValueQuestion): Promise<Answer> {
  const isPlain = typeof current === "boolean" || field.required;
  if (isPlain && !field.nullable) return askYesNo(`${label}?`, current === true);
  const words: Named[] = [
    { name: "yes", value: true },
    { name: "no", value: false },
    ...(field.nullable ? [{ name: "null", value: null }] : []),
  ];
  return choose({ field, label, current }, words);
}

export async function askOneOf(question: ValueQuestion<FieldOf<"choice">>): Promise<Answer> {
  const { field, label } = question;
  if (field.choices.length > 0) {
    const named = field.choices.map((choice) => ({ name: nameOf(choice), value: choice.value }));
    return choose(question, named);
  }
  if (!field.required) return undefined;
  throw new CliError(exit.conflict, `${label}: the agent offers no choices.`, {
    code: "NO_CHOICES",
  });
}

export async function askSomeOf(question: ValueQuestion<FieldOf<"choices">>): Promise<Answer> {
  const { field, label, current } = question;
  if (field.choices.length === 0) return field.required ? [] : undefined;
  const checked = new Set(
    (Array.isArray(current) ? current : []).map((one) => JSON.stringify(one)),
  );
  const canLeaveOut = !field.required && current === undefined;
  const answer = (at: readonly number[]): Answer =>
    at.length === 0 && canLeaveOut ? undefined : at.map((one) => field.choices[one]?.value ?? null);
  const chosen = await askChoices({
    message: label,
    choices: field.choices.map((choice, at) => ({
      name: nameOf(choice),
      value: at,
      checked: checked.has(JSON.stringify(choice.value)),
    })),
    problemOf: (at) => problemOf(question, { value: answer(at) }),
  });
  return answer(chosen);
}

async function choose(
  { field, label, current }: Omit<ValueQuestion, "whole">,
  choices: readonly Named[],
) {
  const leaveOut = field.required ? [] : [{ name: "(leave it out)", value: undefined }];
  const offered = [...leaveOut, ...choices];
  const same = JSON.stringify(current);
  const at = offered.findIndex(({ value }) => JSON.stringify(value) === same);
  const chosen = await askChoice({
    message: label,
    choices: offered.map(({ name }, value) => ({ name, value })),
    chosen: Math.max(0, at),
  });
  return offered[chosen]?.value;
}

type Reader = (question: ValueQuestion, text: string) => Reading;

function readerOf({ kind, keywords }: Field): Reader {
  if (kind === "number") return readNumber;
  if (kind === "text" || keywords.type === "string") return readText;
  return readJson;
}

const readText: Reader = ({ field, current }, text) => {
  if (text !== "" || current === "") return { value: text };
  return nothing(field);
};

const readNumber: Reader = ({ field }, text) => {
  const digits = text.trim();
  if (digits === "") return nothing(field);
  const value = numberIn(digits);
  if (value === null) return { problem: `${valueLine(text, 40)} is not a number.` };
  return isExact(value) ? { value } : { problem: "A number this long would be rounded." };
};

/** Reads JSON, or text if the schema accepts text. */
const readJson: Reader = ({ field, whole }, text) => {
  if (text.trim() === "") return nothing(field);
  try {
    const value = JSON.parse(text) as Json;
    const problem = problemOfNumbers(value);
    return problem === null ? { value } : { problem: `In this JSON, ${problem}.` };
  } catch (error) {
    const looksLikeJson = /^\s*["[{]/.test(text);
    if (!looksLikeJson && problemOfPart(text, field.schema, whole) === null) return { value: text };
    return { problem: `This is not JSON: ${valueLine((error as Error).message)}.` };
  }
};

function nothing(field: Field): Reading {
  const value = emptyValue(field);
  return field.required && value === undefined ? { problem: "This is required." } : { value };
}

function problemOf({ field, whole }: ValueQuestion, reading: Reading): string | null {
  const problem =
    "problem" in reading
      ? reading.problem
      : reading.value === undefined
        ? null
        : problemOfPart(reading.value, field.schema, whole);
  return problem === null ? null : complaintOf(field, problem);
}

function answerOf(reading: Reading): Answer {
  return "value" in reading ? reading.value : undefined;
}
