// Which new passwords are good enough, told to whoever sets one: over the API, or by a variable for
// the first owner. How they are kept is in core/access/passwords.ts.

/** In characters, composed. */
const length = { min: 12, max: 128 } as const;

/** The commonest of this length, without regard to case; digits at the end do not help. */
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

/** A word of this many letters or fewer, with digits around it, is guessed within minutes. */
const shortWord = 9;

/** Digits that are written for letters. */
const leet: Record<string, string> = { "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t" };

/** What is wrong with a new password, in words that follow its name; null when nothing is. */
export function passwordProblem(password: string, username: string): string | null {
  const composed = password.normalize("NFKC");
  const characters = [...composed].length;
  if (characters < length.min || characters > length.max) {
    return `must have ${length.min} to ${length.max} characters`;
  }
  const plain = composed.toLowerCase();
  if (plain === username.normalize("NFKC").toLowerCase()) return "must not be the username";
  if (new Set(plain).size < 4) return "must have at least four different characters";
  if (isSequence(plain)) return "must not be a row of neighbouring characters";
  const stem = plain.replace(/[^a-z]+$/, "").replace(/[\s._-]+/g, "");
  const isCommon = common.includes(plain) || common.includes(stem);
  if (isCommon) return "is one of the commonest passwords";
  return isOneWord(plain) ? "must not be one short word with digits or signs around it" : null;
}

/** `dragon123456`, `Summer202412`, `2024p4ssw0rd!`: letters in one piece, and nothing else but signs. */
function isOneWord(plain: string): boolean {
  const core = plain
    .replace(/^[^a-z]+|[^a-z]+$/g, "")
    .replaceAll("@", "a")
    .replaceAll("$", "s");
  const word = [...core].map((character) => leet[character] ?? character).join("");
  return /^[a-z]+$/.test(word) && word.length <= shortWord;
}

/** `123456789012`, `abcdefghijkl` and the like, with 0 after 9. */
function isSequence(text: string): boolean {
  const rows = "012345678901234567890123456789 abcdefghijklmnopqrstuvwxyz";
  const backwards = [...rows].reverse().join("");
  return rows.includes(text) || backwards.includes(text);
}
