// Where others lead to: the page of registration tokens, with the form for a new one open.

export const newTokenAddress = "/registration-tokens?new=1";
