// Finds, in the browser, what does not fit on a page.

import type { Page } from "playwright-core";

/** Returns what is wrong with the page's layout at its present size. */
export async function layoutProblems(page: Page): Promise<string[]> {
  // Two frames, because an observer may change the layout after the first.
  await page.evaluate(
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
  );
  return page.evaluate(findProblems);
}

/** Runs in the browser, so it must not refer to anything outside. */
function findProblems(): string[] {
  /** The height of a row with two lines or a button. */
  const twoLines = 72;
  /** Each line must be wide enough for a word of this width, in pixels. */
  const shortWord = 200;
  const found = new Set<string>();
  const nameOf = (element: Element) => {
    const own = (one: Element) => [one.localName, ...one.classList].join(".") + (one.id ? "#" : "");
    const up = element.parentElement;
    return `${up ? `${own(up)} > ` : ""}${own(element)}`;
  };
  const isShown = (element: Element) =>
    element.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: true }) &&
    !element.closest(".visually-hidden, [inert]");
  const clips = (element: Element) => getComputedStyle(element).overflowX !== "visible";

  function noteWidth(): void {
    if (document.documentElement.scrollWidth <= innerWidth) return;
    const isClipped = (element: Element) => {
      for (let up = element.parentElement; up && up !== document.body; up = up.parentElement)
        if (clips(up)) return true;
      return false;
    };
    const outside = [...document.querySelectorAll("body *")].filter(
      (one) =>
        isShown(one) && one.getBoundingClientRect().right > innerWidth + 0.5 && !isClipped(one),
    );
    found.add(`too wide: ${outside.slice(-1).map(nameOf)}`);
  }

  /** An open panel covers the page, so only the panel is checked. */
  const open = [...document.querySelectorAll("dialog[open], :popover-open")].at(-1);
  const root = open ?? document.body;

  function noteTexts(): void {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.nodeValue ?? "";
      if (!parent || text.trim() === "" || parent.closest("script, style, select, textarea, svg"))
        continue;
      // The content of a closed <details> has no layout.
      if (!isShown(parent) || parent.matches("details:not([open])")) continue;
      range.selectNodeContents(node);
      const rects = [...range.getClientRects()];
      noteOutside(parent, text, rects);
      if (new Set(rects.map(({ top }) => Math.round(top))).size > 1) noteBroken(parent, node, text);
    }
  }

  /**
   * Finds broken words. Chinese has no spaces, so its lines may end anywhere, and so may lines of
   * output, as in a terminal. An underscore counts as punctuation.
   */
  function noteBroken(parent: Element, node: Node, text: string): void {
    if (parent.closest(".output-block")) return;
    const range = document.createRange();
    for (const { 0: word, index } of text.matchAll(
      /[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]]+/gv,
    )) {
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
      const [first] = rects;
      if (!first || rects.every(({ top }) => top < first.bottom - 2)) continue;
      const needed = rects.reduce((sum, { width }) => sum + width, 0);
      let block: Element = parent;
      while (getComputedStyle(block).display.startsWith("inline") && block.parentElement)
        block = block.parentElement;
      if (needed <= Math.max(block.clientWidth, shortWord))
        found.add(`broken: ${nameOf(parent)}: ${word.slice(0, 40)}`);
    }
  }

  /** Finds text that is visible beyond the edge of its box. */
  function noteOutside(parent: Element, text: string, rects: DOMRect[]): void {
    const right = Math.max(...rects.map((rect) => rect.right));
    for (let up: Element | null = parent; up && up !== document.body; up = up.parentElement) {
      if (clips(up)) return;
      const box = up.getBoundingClientRect();
      if (getComputedStyle(up).display === "inline" || right <= box.right + 1.5) continue;
      if (
        !up.matches(
          "td, th, li, .card, .panel, .floating, .button, button, main, section, .field, label",
        )
      )
        continue;
      found.add(`sticks out: ${nameOf(parent)} of ${nameOf(up)}: ${text.trim().slice(0, 30)}`);
      return;
    }
  }

  function noteRows(): void {
    for (const row of root.querySelectorAll(".table tbody tr:not([data-open])")) {
      // Tables with cells that are never cut are shown only on demand. Their rows may be higher.
      const isWhole = [...row.children].some(
        ({ className, firstElementChild, textContent }) =>
          !/-cell/.test(className) && textContent !== "" && !firstElementChild?.matches(".cut"),
      );
      if (!isShown(row) || isWhole) continue;
      const isSingle = row.closest(".cards") || getComputedStyle(row).display === "table-row";
      for (const one of isSingle ? [row] : row.children) {
        const { height } = one.getBoundingClientRect();
        if (height > twoLines)
          found.add(
            `high: ${nameOf(one)} of ${one.closest("table")?.ariaLabel}: ${Math.round(height)} px`,
          );
      }
    }
    for (const option of root.querySelectorAll("[role=option]")) {
      const { height } = option.getBoundingClientRect();
      if (isShown(option) && height > twoLines)
        found.add(`high: ${nameOf(option)}: ${Math.round(height)} px`);
    }
  }

  /** Finds a card whose facts are cut although their line has room. */
  function noteCards(): void {
    for (const row of root.querySelectorAll(".cards .table tbody tr")) {
      const last = [...row.querySelectorAll('td[data-card="fact"]')].filter(isShown).at(-1);
      if (!last || getComputedStyle(row).display !== "grid") continue;
      const isCut = [last, ...last.querySelectorAll("*")].some(
        ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth && clientWidth > 0,
      );
      const end =
        row.getBoundingClientRect().right - parseFloat(getComputedStyle(row).paddingRight);
      if (isCut && last.getBoundingClientRect().right < end - 1)
        found.add(`cut too early: ${nameOf(last)} of ${row.closest("table")?.ariaLabel}`);
    }
  }

  /** Finds texts that cover the text beside them. */
  function noteOverlaps(): void {
    const boxOf = (element: Element | null) =>
      element && element.childElementCount === 0 && element.textContent && isShown(element)
        ? element.getBoundingClientRect()
        : null;
    for (const one of root.querySelectorAll("span, a, p, code, time, strong")) {
      let next = one.nextElementSibling;
      while (next && !isShown(next)) next = next.nextElementSibling;
      const [a, b] = [boxOf(one), boxOf(next)];
      // The box of an inline text with several lines also contains parts of its neighbours.
      if (!a || !b || getComputedStyle(one).display === "inline") continue;
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (across > 2 && down > 2) found.add(`overlaps: ${nameOf(one)}`);
    }
  }

  /** At 400 %, only tables may scroll sideways. */
  function noteScrolling(): void {
    for (const one of root.querySelectorAll("*")) {
      if (one.scrollWidth <= one.clientWidth + 1 || one.clientWidth < 20 || !isShown(one)) continue;
      if (!/auto|scroll/.test(getComputedStyle(one).overflowX)) continue;
      if (!one.querySelector("table") && !one.matches("input, select, textarea"))
        found.add(`scrolls sideways: ${nameOf(one)}`);
    }
  }

  noteWidth();
  noteTexts();
  noteRows();
  noteCards();
  noteOverlaps();
  if (innerWidth <= 320) noteScrolling();
  return [...found];
}
