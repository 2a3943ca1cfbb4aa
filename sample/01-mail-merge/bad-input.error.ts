/** Something the person at the keyboard can put right. Ends the program with one line and exit code 2. */
export class BadInputError extends Error {
  override readonly name = 'BadInputError';
}

/** Puts a failed file operation into words: `cannot read list.csv: no such file`. */
export function cannot(action: string, path: string, cause: unknown): BadInputError {
  const { code, message } = cause as NodeJS.ErrnoException;
  return new BadInputError(`cannot ${action} ${path}: ${reasons[code ?? ''] ?? message}`, { cause });
}

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EEXIST: 'a file of that name is in the way',
  EISDIR: 'it is a folder',
  ENOENT: 'no such file',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
};
