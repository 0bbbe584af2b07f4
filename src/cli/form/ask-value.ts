// Asks for one value that is no list and no object of fields. A bad value is told why it is bad, by the
// same rules as the server's, and asked for again.

import { problemOfPart } from "../../domain/payload/check.ts";
import type { Json, JsonObject } from "../../domain/payload/json.ts";
import { CliError, exit } from "../exit.ts";
import { askChoice, askChoices, askHidden, askText, askYesNo } from "../terminal/prompts.ts";
import type { Choice, Field, FieldOf } from "./fields.ts";
import { valueLine } from "./lines.ts";
import { complaintOf } from "./words.ts";

export interface ValueQuestion<F extends Field = Field> {
  field: F;
  /** As the field is called, with what is said of it. */
  label: string;
  /** What is there already. */
  current: Json | undefined;
  /** The action's schema, for references. */
  whole: JsonObject;
}

/** The answer, or undefined when the field is left out. */
export type Answer = Json | undefined;

type Reading = { value: Answer } | { problem: string };

/** For text, numbers and JSON. */
export async function askTyped(question: ValueQuestion, read: Reader): Promise<Answer> {
  const { current, label } = question;
  // What is there may be long, or no plain text: it is shown so that it can do no harm, and kept as it is.
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

/** For what must not be seen by who looks over the shoulder. */
export async function askSecret(question: ValueQuestion<FieldOf<"secret">>): Promise<Answer> {
  const { current } = question;
  const { open } = question.field;
  const read = readerOf(open);
  const keep = current !== undefined;
  const readSecret = (text: string): Reading =>
    text === "" && keep ? { value: current } : read(question, text);
  // What is wrong with a text never quotes it; of other values it may.
  const toldOf = (problem: string | null) =>
    problem === null || open.kind === "text"
      ? problem
      : complaintOf(question.field, "This will not do.");
  const text = await askHidden({
    message: keep ? `${question.label} (Enter keeps what is there)` : question.label,
    problemOf: (typed) => toldOf(problemOf(question, readSecret(typed))),
  });
  return answerOf(readSecret(text));
}

export async function askFlag({ field, label, current }: ValueQuestion): Promise<Answer> {
  const isPlain = typeof current === "boolean" || field.required;
  if (isPlain && !field.nullable) return askYesNo(`${label}?`, current === true);
  const words: Choice[] = [
    { name: "yes", value: true },
    { name: "no", value: false },
    ...(field.nullable ? [{ name: "null", value: null }] : []),
  ];
  return choose(label, words, current, field.required);
}

/** Throws when there must be a choice and there is none. */
export async function askOneOf(question: ValueQuestion<FieldOf<"choice">>): Promise<Answer> {
  const { field, label, current } = question;
  if (field.choices.length > 0) return choose(label, field.choices, current, field.required);
  if (!field.required) return undefined;
  throw new CliError(exit.conflict, `${label}: the agent offers nothing to choose from.`);
}

export async function askSomeOf(question: ValueQuestion<FieldOf<"choices">>): Promise<Answer> {
  const { field, label, current } = question;
  if (field.choices.length === 0) return field.required ? [] : undefined;
  const checked = new Set(
    (Array.isArray(current) ? current : []).map((one) => JSON.stringify(one)),
  );
  const mayLeaveOut = !field.required && current === undefined;
  const answer = (at: readonly number[]): Answer =>
    at.length === 0 && mayLeaveOut ? undefined : at.map((one) => field.choices[one]?.value ?? null);
  const chosen = await askChoices({
    message: label,
    choices: field.choices.map(({ name, value }, at) => ({
      name,
      value: at,
      checked: checked.has(JSON.stringify(value)),
    })),
    problemOf: (at) => problemOf(question, { value: answer(at) }),
  });
  return answer(chosen);
}

async function choose(
  message: string,
  choices: readonly Choice[],
  current: Json | undefined,
  required: boolean,
): Promise<Answer> {
  const offered: { name: string; value: Answer }[] = [
    ...(required ? [] : [{ name: "(leave it out)", value: undefined }]),
    ...choices,
  ];
  const same = JSON.stringify(current);
  const at = offered.findIndex(({ value }) => JSON.stringify(value) === same);
  const chosen = await askChoice({
    message,
    choices: offered.map(({ name }, value) => ({ name, value })),
    chosen: Math.max(0, at),
  });
  return offered[chosen]?.value;
}

type Reader = (question: ValueQuestion, text: string) => Reading;

/** How what is typed for a field is read; a choice that is typed may be of any type. */
export function readerOf({ kind, keywords }: Field): Reader {
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
  const value = Number(digits);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(digits) || !Number.isFinite(value)) {
    return { problem: `${valueLine(text, 40)} is no number.` };
  }
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    return { problem: "A number as long as this would be rounded." };
  }
  return { value };
};

/** JSON where it is JSON; else text, if text will do. */
const readJson: Reader = ({ field, whole }, text) => {
  if (text.trim() === "") return nothing(field);
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    const looksLikeJson = /^\s*["[{]/.test(text);
    if (!looksLikeJson && problemOfPart(text, field.schema, whole) === null) return { value: text };
    return { problem: `This is not JSON: ${valueLine((error as Error).message)}.` };
  }
};

function nothing(field: Field): Reading {
  if (!field.required) return { value: undefined };
  return field.nullable ? { value: null } : { problem: "This is required." };
}

/** Why an answer will not do, with what would; null when it does. */
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
