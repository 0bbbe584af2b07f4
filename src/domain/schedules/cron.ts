// Checks cron expressions, so that the message about a mistake names its field. due-times.ts
// computes the due times.

interface Field {
  name: string;
  min: number;
  max: number;
  words?: readonly string[];
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const fields: readonly Field[] = [
  { name: "minute", min: 0, max: 59 },
  { name: "hour", min: 0, max: 23 },
  { name: "day", min: 1, max: 31 },
  { name: "month", min: 1, max: 12, words: months },
  { name: "weekday", min: 0, max: 7, words: weekdays },
];

const names = fields.map(({ name }) => name).join(" ");
const count = ["no fields", "1 field"];

/** Returns what is wrong with an expression, or null. */
export function cronProblem(text: string): string | null {
  const parts = text.trim() === "" ? [] : text.trim().split(/\s+/);
  if (parts.length !== fields.length) {
    const found = count[parts.length] ?? `${parts.length} fields`;
    return `has ${found}; it must have five: ${names}`;
  }
  for (const [index, field] of fields.entries()) {
    for (const item of (parts[index] ?? "").split(",")) {
      const problem = itemProblem(item, field);
      if (problem !== null) return problem;
    }
  }
  return null;
}

/** An item is `*`, a value or a range, and each of them can have a step: `10-20/5`. */
function itemProblem(item: string, field: Field): string | null {
  const [range = "", step, ...rest] = item.split("/");
  if (rest.length > 0 || item === "") return notPart(item, field);
  if (step !== undefined && !isStep(step, field)) {
    return `"${item}" has no valid step: a step is a number from 1 to ${field.max}`;
  }
  if (range === "*" || (field.name === "day" && item === "L")) return null;
  const [from = "", to, ...more] = range.split("-");
  if (more.length > 0) return notPart(item, field);
  if (to === undefined && step !== undefined) {
    return `"${item}" has a step without a range: write ${from}-${field.max}/${step}`;
  }
  const first = numberOf(from, field);
  const last = to === undefined ? first : numberOf(to, field);
  if (first === null) return notPart(from, field);
  if (last === null) return notPart(to ?? "", field);
  return last < first ? `"${range}" ends before it begins` : null;
}

function isStep(text: string, { max }: Field): boolean {
  return /^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= max;
}

function numberOf(text: string, { min, max, words = [] }: Field): number | null {
  const word = words.indexOf(text.toLowerCase());
  if (word >= 0) return word + min;
  if (!/^\d{1,4}$/.test(text)) return null;
  const value = Number(text);
  return value >= min && value <= max ? value : null;
}

function notPart(text: string, { name, min, max, words }: Field): string {
  const word = words ? `, or ${words[0]} to ${words.at(-1)}` : "";
  return `${text === "" ? "an empty value" : text} is not ${name === "hour" ? "an" : "a"} ${name} (${min} to ${max}${word})`;
}
