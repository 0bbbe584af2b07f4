// Checks new passwords, from the API or from the variable for the first owner.

/** The allowed length in characters after NFKC normalization. */
const length = { min: 12, max: 128 } as const;

/** Common passwords match in any case, and with digits or symbols at the end. */
const common = [
  "password",
  "passwordpassword",
  "passw0rd",
  "p@ssw0rd",
  "qwertyuiop",
  "qwertyuiopasdf",
  "qwertyuiopasdfghjkl",
  "1q2w3e4r5t6y",
  "1qaz2wsx3edc",
  "112233445566",
  "123456123456",
  "qwertyqwerty",
  "qwerty",
  "asdfghjkl",
  "zxcvbnm",
  "administrator",
  "admin",
  "adminadmin",
  "changeme",
  "changemenow",
  "changemeplease",
  "letmein",
  "letmeinplease",
  "welcome",
  "iloveyou",
  "iloveyouforever",
  "sunshine",
  "princess",
  "football",
  "basketball",
  "baseball",
  "superman",
  "spiderman",
  "trustno",
  "correcthorsebatterystaple",
  "platform",
  "secret",
  "unknown",
  "default",
  "testtesttest",
];

/** A word of this length or less, with digits around it, can be guessed within minutes. */
const shortWord = 9;

const leet: Record<string, string> = { "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t" };

/** Returns the problem as text that follows the field's name; null if there is none. */
export function passwordProblem(password: string, username: string): string | null {
  const composed = password.normalize("NFKC");
  const characters = [...composed].length;
  if (characters < length.min || characters > length.max) {
    return `must have ${length.min} to ${length.max} characters`;
  }
  const plain = composed.toLowerCase();
  if (plain === username.normalize("NFKC").toLowerCase()) return "must not be the username";
  if (new Set(plain).size < 5) return "must have at least five different characters";
  if (isMostlyOne(plain)) return "must not consist mostly of one character";
  if (isSequence(plain)) return "must not be a sequence of adjacent characters";
  const stem = plain.replace(/[^a-z]+$/, "").replace(/[\s._-]+/g, "");
  const isCommon = common.includes(plain) || common.includes(stem);
  if (isCommon) return "is one of the most common passwords";
  if (keyboards.some((keyboard) => isWalk(plain, keyboard))) {
    return "must not be a path across the keyboard";
  }
  return isOneWord(plain) ? "must not be one short word with digits or symbols around it" : null;
}

/** Matches passwords such as `dragon123456`, `Summer202412` and `2024p4ssw0rd!`. */
function isOneWord(plain: string): boolean {
  const core = plain
    .replace(/^[^a-z]+|[^a-z]+$/g, "")
    .replaceAll("@", "a")
    .replaceAll("$", "s");
  const word = [...core].map((character) => leet[character] ?? character).join("");
  return /^[a-z]+$/.test(word) && word.length <= shortWord;
}

function isMostlyOne(text: string): boolean {
  const characters = [...text];
  const counts = Map.groupBy(characters, (character) => character).values();
  return Math.max(...counts.map(({ length }) => length)) > characters.length / 2;
}

const keyboards = [
  ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"],
  ["1234567890", "qwertzuiop", "asdfghjkl", "yxcvbnm"],
  ["1234567890", "azertyuiop", "qsdfghjklm", "wxcvbn"],
];

/**
 * Matches passwords such as `qazwsxedcrfv`, `q1w2e3r4t5y6` and `asdfgasdfg12`: each key is in the
 * same column as the key before it or in an adjacent one. One key in six may be elsewhere.
 */
function isWalk(text: string, rows: readonly string[]): boolean {
  const columns = [...text].map((key) => Math.max(...rows.map((row) => row.indexOf(key))));
  let jumps = 0;
  for (const [at, column] of columns.entries()) {
    const before = columns[at - 1] ?? column;
    if (column < 0 || before < 0 || Math.abs(column - before) > 1) jumps++;
  }
  return jumps <= columns.length / 6;
}

/** Matches passwords such as `abcdefghijkl` and `890123456789`, in which 0 follows 9. */
function isSequence(text: string): boolean {
  const rows = "012345678901234567890123456789 abcdefghijklmnopqrstuvwxyz";
  const backwards = [...rows].reverse().join("");
  return rows.includes(text) || backwards.includes(text);
}
