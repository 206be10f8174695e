/**
 * The text that replaces the error code EMFILE, because few users know this code. Any part of Baton may cause this
 * error.
 */
const TOO_MANY_FILES =
  'Baton has as many files open as this system allows (EMFILE); raise the limit with ulimit -n and restart Baton';

export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error as Error & { code?: unknown }).code === 'EMFILE'
    ? `${TOO_MANY_FILES}: ${error.message}`
    : error.message;
}
