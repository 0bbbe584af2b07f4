// The owner on a server that starts with the template's data folder.

export const templateOwner = { username: "admin", password: "a template for all tests" };
