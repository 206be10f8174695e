/** The one errno that says nothing to most people, and that every part can meet. */
const TOO_MANY_FILES =
  'as many files are open as this system lets Baton have (EMFILE); raise the limit with ulimit -n and start Baton again';

export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error as Error & { code?: unknown }).code === 'EMFILE'
    ? `${TOO_MANY_FILES}: ${error.message}`
    : error.message;
}
