import { shellWord } from '../../domain/shell-quote.ts';
import { checkName } from './typing/checks.ts';

/**
 * Returns the command that attaches to a pane in the operator's own tmux. The command contains the pane id, which stays
 * valid if the session is renamed.
 */
export const attachToPane = (binary: string, socketPath: string, paneId: string): string =>
  [binary, '-S', socketPath, 'attach', '-t', paneId].map(shellWord).join(' ');

export function attachCommand(binary: string, socketPath: string, sessionName: string): string {
  checkName('attach', 'session name', sessionName);
  return [binary, '-S', socketPath, 'attach', '-t', `=${sessionName}`].map(shellWord).join(' ');
}
