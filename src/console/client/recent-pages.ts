// The pages of items that the user opened most recently, for the palette. They are kept in memory
// only and forgotten when the session ends, because their titles are data.

interface RecentPage {
  path: string;
  title: string;
  /** The title of the list that the item belongs to. */
  list: string;
}

const most = 6;

let pages: readonly RecentPage[] = [];

/** Replaces an earlier entry for the same page, whose title may have changed. */
export function notePage(page: RecentPage): void {
  pages = [page, ...pages.filter(({ path }) => path !== page.path)].slice(0, most);
}

export function recentPages(): readonly RecentPage[] {
  return pages;
}

export function forgetPages(): void {
  pages = [];
}
