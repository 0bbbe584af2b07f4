// A page's file did not come: the server is away, or has another console now, whose files have other names.

export class PageNotLoaded extends Error {
  constructor(cause: unknown) {
    super("The file of a page could not be loaded.", { cause });
    this.name = "PageNotLoaded";
  }
}
