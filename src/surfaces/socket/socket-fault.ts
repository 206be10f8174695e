/**
 * The kinds of faults.
 *
 * - `not_running`: no server listens, so nothing was sent.
 * - `forbidden`: this user may not open the socket.
 * - `too_large`: the server refused the body while it was being sent.
 * - `no_answer`: the server accepted the request, but did not answer in time.
 * - `connection_lost`: the connection broke, for example because the server was killed. It is unknown whether the
 *   server carried out the request.
 */
export type SocketFaultCode = 'not_running' | 'forbidden' | 'too_large' | 'no_answer' | 'connection_lost';

/**
 * Thrown if the server gave no answer. The command line and the agents' tools each describe the fault in their own
 * words.
 */
export class SocketFault extends Error {
  override readonly name = 'SocketFault';
  readonly code: SocketFaultCode;

  constructor(code: SocketFaultCode, reason: string) {
    super(reason);
    this.code = code;
  }
}
