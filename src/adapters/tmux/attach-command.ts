import { checkName } from './typing/checks.ts';

/** Quoted unless plain; zsh would replace an unquoted `=name` by the path of a program. */
function shellQuote(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** Attaches to a pane in the operator's own tmux by its id, so its session may be renamed. */
export const attachToPane = (binary: string, socketPath: string, paneId: string): string =>
  [binary, '-S', socketPath, 'attach', '-t', paneId].map(shellQuote).join(' ');

export function attachCommand(binary: string, socketPath: string, sessionName: string): string {
  checkName('attach', 'session name', sessionName);
  return [binary, '-S', socketPath, 'attach', '-t', `=${sessionName}`].map(shellQuote).join(' ');
}
