// `--limit` and `--page`, as the API names them.

export function pageOf(options: Record<string, unknown>): { page: number; pageSize: number } {
  return { page: options.page as number, pageSize: options.limit as number };
}
