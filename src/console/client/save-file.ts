// Downloads a file that is in memory, as if the user had clicked a link to it.

export function saveFile(blob: Blob, fileName: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = fileName;
  document.body.append(link);
  link.click();
  link.remove();
  // The browser may not have started to read the file yet.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
