import type { Amount } from "../amounts.ts";
import type { Texts } from "../index.ts";
import { plural } from "./amounts.ts";

const characters = (many: Amount) => plural(many, { one: "# Zeichen", other: "# Zeichen" });
const items = (many: Amount) => plural(many, { one: "# Element", other: "# Elemente" });
const fields = (many: Amount) => plural(many, { one: "# Feld", other: "# Felder" });

const kinds: Readonly<Record<string, string>> = {
  string: "Text",
  number: "eine Zahl, zum Beispiel 12.5,",
  integer: "eine ganze Zahl",
  boolean: "ja oder nein",
  object: "ein Objekt",
  array: "eine Liste",
  null: "nichts",
};

export const schemaForm: Texts["schemaForm"] = {
  view: "Ansicht der Eingabe",
  form: "Formular",
  asJson: "JSON",
  jsonHint: "Ein JSON-Objekt. Formular und Text zeigen denselben Payload.",
  hiddenHint:
    "Ein JSON-Objekt. Formular und Text zeigen denselben Payload. Jedes •••••• steht für ein Geheimnis: Es bleibt, solange Sie es nicht ersetzen.",
  mendJson: "Korrigieren Sie zuerst das JSON: Das Formular kann ungültiges JSON nicht anzeigen.",
  noForm: {
    tooLarge:
      "Das Formular dieser Aktion ist zu groß, um es anzuzeigen. Geben Sie den Payload als JSON ein.",
    noObject:
      "Diese Aktion deklariert keine Felder. Wenn sie einen Payload braucht, geben Sie ihn als JSON ein.",
    broken:
      "Das Formular dieser Aktion lässt sich nicht anzeigen. Geben Sie den Payload als JSON ein.",
  },
  wrong: "Der Payload passt nicht zum Schema der Aktion:",
  jsonOnly: "Dieser Teil lässt sich nur als JSON eingeben.",
  choose: "Wählen …",
  option: (number) => `Möglichkeit ${number}`,
  kind: "Art",
  keyOf: (name) => `Name von ${name}`,
  add: (what) => `Zu ${what} hinzufügen`,
  addProperty: (what) => `Feld zu ${what} hinzufügen`,
  remove: (what) => `${what} entfernen`,
  moveUp: (what) => `${what} nach oben`,
  moveDown: (what) => `${what} nach unten`,
  item: (list, number) => `${list} ${number}`,
  items: "Elemente",
  itemWord: "Element",
  fields: "Felder",
  hints: {
    between: (low, high) => `${low} bis ${high}.`,
    atLeast: (low) => `Mindestens ${low}.`,
    atMost: (high) => `Höchstens ${high}.`,
    lengthBetween: (low, high) => `${low} bis ${high} Zeichen.`,
    lengthAtLeast: (low) => `Mindestens ${characters(low)}.`,
    lengthAtMost: (high) => `Höchstens ${characters(high)}.`,
    itemsBetween: (low, high) => `${low} bis ${high} Elemente.`,
    itemsAtLeast: (low) => `Mindestens ${items(low)}.`,
    itemsAtMost: (high) => `Höchstens ${items(high)}.`,
    unique: "Keine doppelten Werte.",
    multipleOf: (step) => `In Schritten von ${step}.`,
    mustMatch: (pattern) => `Muss zu ${pattern} passen`,
    manyChoices: (many) =>
      plural(many, {
        one: "Der einzige Wert, den der Agent annimmt.",
        other: "Einer von # Werten, die der Agent annimmt.",
      }),
  },
  issues: {
    required: "Dies ist erforderlich.",
    type: (wanted) =>
      `Erlaubt ist nur ${wanted.map((each) => kinds[each] ?? each).join(" oder ")}.`,
    enum: (choices) =>
      choices.length <= 8
        ? `Erlaubt ist nur einer dieser Werte: ${choices.join(", ")}.`
        : "Dies ist keiner der erlaubten Werte.",
    const: (value) => `Dies muss ${value} sein.`,
    format: (name) => `Dies hat nicht das Format ${name}.`,
    pattern: "Dies passt nicht zum Muster.",
    uniqueItems: "Die Liste enthält ein Element doppelt.",
    choice: "Dies passt zu keiner der Möglichkeiten, oder zu mehr als einer.",
    unknown: (name) => `${name} ist hier nicht erlaubt.`,
    numbers: {
      minimum: (low) => `Dies muss mindestens ${low} sein.`,
      maximum: (high) => `Dies darf höchstens ${high} sein.`,
      exclusiveMinimum: (low) => `Dies muss größer als ${low} sein.`,
      exclusiveMaximum: (high) => `Dies muss kleiner als ${high} sein.`,
      multipleOf: (step) => `Dies muss ein Vielfaches von ${step} sein.`,
      minLength: (low) => `Mindestens ${characters(low)} erforderlich.`,
      maxLength: (high) => `Höchstens ${characters(high)} erlaubt.`,
      minItems: (low) => `Mindestens ${items(low)} erforderlich.`,
      maxItems: (high) => `Höchstens ${items(high)} erlaubt.`,
      minProperties: (low) => `Mindestens ${fields(low)} erforderlich.`,
      maxProperties: (high) => `Höchstens ${fields(high)} erlaubt.`,
    },
  },
  json: {
    wrong: "Das ist kein JSON.",
    wrongAt: (line, column) => `Das ist kein JSON: Zeile ${line}, Spalte ${column}.`,
    noObject: "Ein Payload muss ein Objekt sein: { … }.",
    unknownSecret:
      "Der Text enthält ••••••, ohne dass ein Geheimnis dazu bekannt ist. Tragen Sie dort den Wert ein.",
  },
};
