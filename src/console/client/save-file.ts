// Gives the person a file, as if it had been a link to it.

/** The browser asks where to, or takes its folder for such files. */
export function saveFile(blob: Blob, fileName: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser has not necessarily begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
