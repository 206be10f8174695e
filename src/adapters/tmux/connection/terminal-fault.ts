/**
 * The kinds of faults.
 *
 * - `invalid`: the caller asked for something that Baton refuses to send to tmux.
 * - `unavailable`: tmux is missing, too old, or its server cannot be started.
 * - `failed`: tmux answered with an error, or in a way that breaks its protocol.
 * - `timeout`, `lost`: tmux did not answer, so the request may have been carried out or may still be carried out.
 */
export type TerminalFaultKind = 'invalid' | 'unavailable' | 'failed' | 'timeout' | 'lost';

export class TerminalFault extends Error {
  override readonly name = 'TerminalFault';
  readonly kind: TerminalFaultKind;
  readonly operation: string;
  readonly target: string;

  constructor(kind: TerminalFaultKind, operation: string, target: string, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.operation = operation;
    this.target = target;
  }

  /**
   * True if tmux may have carried out the request. A caller must find out whether tmux did so before repeating the
   * request.
   */
  get outcomeUnknown(): boolean {
    return this.kind === 'timeout' || this.kind === 'lost';
  }
}
