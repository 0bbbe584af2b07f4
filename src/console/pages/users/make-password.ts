// A password made up by the browser's own source of randomness: nobody has it but who reads it here.

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const length = 24;
/** Bytes from here on would make some letters more frequent than others. */
const end = 256 - (256 % letters.length);

/** 24 letters and digits: 142 bits. */
export function makePassword(): string {
  let password = "";
  while (password.length < length) {
    // biome-ignore lint/plugin: the one place where the console asks the browser for randomness
    const bytes = crypto.getRandomValues(new Uint8Array(2 * length));
    for (const byte of bytes) {
      if (byte < end && password.length < length) password += letters[byte % letters.length];
    }
  }
  return password;
}
