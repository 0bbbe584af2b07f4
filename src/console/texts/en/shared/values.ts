// Values that agents send, in the form that is best read.

export const values = {
  nothing: "nothing",
  json: "JSON",
  kinds: {
    text: "Text",
    scalar: "Value",
    scalars: "List",
    table: "Table",
    object: "Fields",
  },
  view: (of: string) => `View of ${of}`,
  moreRows: (count: number) => `${count} more rows: see the JSON.`,
};
