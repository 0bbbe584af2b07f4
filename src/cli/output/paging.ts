// Converts `--limit`, `--page` and `--before` to the API's names.

export interface PageQuery {
  page: number;
  pageSize: number;
  before?: string;
}

export function pageOf(options: Record<string, unknown>): PageQuery {
  const { page, limit, before } = options as { page: number; limit: number; before?: string };
  return { page, pageSize: limit, ...(before === undefined ? {} : { before }) };
}
