// How it looks that something is gone.

import type { View } from "../output/output.ts";

export const deletedView: View<{ id: string; deleted: boolean }> = {
  columns: [
    { name: "id", value: ({ id }) => id, kind: "key" },
    { name: "deleted", value: ({ deleted }) => deleted },
  ],
  nameOf: ({ id }) => id,
};
