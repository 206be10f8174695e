type Variables = Readonly<Record<string, string | undefined>>;

const NEEDED = new Set('PATH HOME USER LOGNAME SHELL LANG LANGUAGE TERM TMPDIR TZ XDG_RUNTIME_DIR'.split(' '));

/**
 * Returns the variables that the tmux server needs to run. The tmux server gets no other variables, because it passes
 * its environment to every pane. Each agent gets its variables from its own file, which is deleted before the agent
 * runs.
 */
export const terminalEnvironment = (env: Variables): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && (NEEDED.has(entry[0]) || entry[0].startsWith('LC_')),
    ),
  );
