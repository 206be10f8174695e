import { checkName } from './typing/checks.ts';

/** Quoted unless plain; zsh would replace an unquoted `=name` by the path of a program. */
function shellQuote(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** To a pane of the operator's own, wherever its session was renamed to. */
export const attachToPane = (binary: string, socketPath: string, paneId: string): string =>
  [binary, '-S', socketPath, 'attach', '-t', paneId].map(shellQuote).join(' ');

export function attachCommand(binary: string, socketPath: string, sessionName: string): string {
  checkName('attach', 'session name', sessionName);
  return [binary, '-S', socketPath, 'attach', '-t', `=${sessionName}`].map(shellQuote).join(' ');
}
