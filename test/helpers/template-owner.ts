// Who may do everything on a server that begins with the template's data folder.

export const templateOwner = { username: "admin", password: "a template for all tests" };
