// Explains why the file system refused something, as part of a sentence.

const problems: Record<string, string> = {
  ENOENT: "it does not exist",
  ENOTDIR: "part of its path is not a folder",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota is used up",
  EFBIG: "files cannot be so large here",
};

/** Returns a reason such as "permission denied". Other errors keep their message. */
export function fileProblem(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return problems[code] ?? message ?? code;
}
