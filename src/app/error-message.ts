/** Explains the error EMFILE, which can occur in any part of Baton and which few users know. */
const TOO_MANY_FILES =
  'Baton has as many files open as this system allows (EMFILE); raise the limit with ulimit -n and restart Baton';

export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error as Error & { code?: unknown }).code === 'EMFILE'
    ? `${TOO_MANY_FILES}: ${error.message}`
    : error.message;
}
