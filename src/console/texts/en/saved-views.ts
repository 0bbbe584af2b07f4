export const savedViews = {
  label: "Saved views",
  save: "Save view",
  saveTitle: "Save this view",
  what: "The view keeps the filters, the order and the visible columns of this list.",
  shared: "Everybody sees the view",
  saved: (name: string) => `${name} was saved.`,
  more: (name: string) => `Change the view ${name}`,
  rename: "Edit",
  renameTitle: (name: string) => `Edit ${name}`,
  update: "Also replace its filters, order and columns with those that are shown now",
  delete: "Delete",
  sharedSign: "shared",
  changed: (version: number) =>
    `Someone else has changed this view: it now has version ${version}. Close this dialog and try again.`,
  open: "Open",
};
