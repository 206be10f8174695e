/** The most common errors of the operating system, in words. */
const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder, not a file',
  EEXIST: 'it already exists',
  EACCES: 'this user is not allowed to open it',
  EPERM: 'this user is not allowed to do this',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the path is too long',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  EMFILE: 'this system allows no more open files; raise the limit with ulimit -n',
};

/**
 * Describes an error of the operating system without its code. For any other error, returns the error's own message.
 */
export function errnoWords(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const known = code === undefined ? undefined : WORDS[code];
  // Keep only the description from a message such as "EXDEV: cross-device link not permitted, rename 'a' -> 'b'".
  return known ?? (/^E[A-Z0-9]{2,20}: ([^,]*)/.exec(message)?.[1] || message);
}

/**
 * Describes an error of the operating system without its code, and names the file or folder that the error is about.
 */
export function errnoWordsWithPath(error: unknown): string {
  const { path, syscall } = error as NodeJS.ErrnoException;
  return path === undefined || syscall === undefined ? errnoWords(error) : `${path}: ${errnoWords(error)}`;
}
