/** Explains EMFILE, which any part can meet and few readers know. */
const TOO_MANY_FILES =
  'as many files are open as this system lets Baton have (EMFILE); raise the limit with ulimit -n and start Baton again';

export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error as Error & { code?: unknown }).code === 'EMFILE'
    ? `${TOO_MANY_FILES}: ${error.message}`
    : error.message;
}
