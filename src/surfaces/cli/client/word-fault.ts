import { ANSWER_MS } from '../../socket/send-request.ts';
import { SocketFault } from '../../socket/socket-fault.ts';
import { CliFault, notRunning, ServerUnreachable } from '../cli-fault.ts';

/**
 * Turns a SocketFault into a sentence for the operator; returns any other error as it is. `request` is the method and
 * path of the failed request.
 */
export function wordFault(error: unknown, homePath: string, request: string): unknown {
  if (!(error instanceof SocketFault)) return error;
  const { code, message } = error;
  switch (code) {
    case 'not_running':
      return notRunning(homePath);
    case 'forbidden':
      return new CliFault(`This user has no permission to open the server's socket in ${homePath}.`, { code });
    case 'too_large':
      return new CliFault(`Baton refused ${request}, because the request is too large.`, { code });
    case 'no_answer':
      return new CliFault(`Baton did not answer ${request} within ${ANSWER_MS / 1000} s.`, { code });
    case 'connection_lost':
      return new ServerUnreachable(`The connection to Baton was lost during ${request}: ${message}`, {
        code,
        hint: 'Check whether Baton is still running: baton status',
      });
  }
}
