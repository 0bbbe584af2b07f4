export const savedViews = {
  label: "Saved views",
  save: "Save view",
  saveTitle: "Save this view",
  what: "The view saves the filters, the order and the visible columns of this list.",
  shared: "Share the view with everyone",
  saved: (name: string) => `${name} was saved.`,
  replace: "Replace",
  replaces: (name: string) => `This replaces the view ${name}.`,
  rename: "Edit view",
  renameTitle: (name: string) => `Edit the view ${name}`,
  sharedSign: "(shared)",
  changed: (version: number) =>
    `Someone else has changed this view: it now has version ${version}. Close this dialog and try again.`,
};
