const problems: Record<string, string> = {
  ENOENT: "it does not exist",
  ENOTDIR: "part of its path is not a folder",
  EISDIR: "it is a folder",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the quota is used up",
  EFBIG: "the file system does not allow such a large file",
};

/** Explains an error of the file system as part of a sentence: "permission denied". */
export function fileProblem(error: unknown): string {
  const { code = "", message } = error as NodeJS.ErrnoException;
  return problems[code] ?? message ?? code;
}
