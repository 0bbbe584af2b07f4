// Formats sizes as text: "512 B", "20.3 MiB".

const units = ["B", "KiB", "MiB", "GiB", "TiB"];

export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  const text = unit === 0 ? String(size) : size.toFixed(1);
  return `${text} ${units[unit]}`;
}
