// Reads all pages of a list that has page numbers.

import { type PageNumber, wholeList } from "../../lib/whole-list.ts";

interface Numbered<Row> {
  data: readonly Row[];
  pagination: { total: number };
}

const pageSize = 200;

export async function* everyPage<Row extends { id: string }>(
  readPage: (place: PageNumber) => Promise<Numbered<Row>>,
): AsyncGenerator<Row[], void> {
  const read = async (place: PageNumber) => {
    const { data: rows, pagination } = await readPage(place);
    return { rows, total: pagination.total };
  };
  const first = await read({ page: 1, pageSize });
  yield* wholeList(first, pageSize, read, ({ id }) => id);
}
