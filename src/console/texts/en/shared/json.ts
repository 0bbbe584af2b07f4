// What is written as JSON, and could not be sent as it is written.

export const json = {
  inexact: {
    number: (written: string) =>
      `${written} cannot be sent exactly: the largest whole number is 9007199254740991.`,
    twice: (name: string) => `“${name}” stands twice in one object: only the last would be sent.`,
  },
};
