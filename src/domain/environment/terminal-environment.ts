type Variables = Readonly<Record<string, string | undefined>>;

const NEEDED = new Set('PATH HOME USER LOGNAME SHELL LANG LANGUAGE TERM TMPDIR TZ XDG_RUNTIME_DIR'.split(' '));

/**
 * What the terminal itself needs to run. It keeps what it is started with for as long as it lives, and shows it to every
 * pane, so nothing else goes there: agents get their variables by a file of their own, which is gone before they run.
 */
export const terminalEnvironment = (env: Variables): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && (NEEDED.has(entry[0]) || entry[0].startsWith('LC_')),
    ),
  );
