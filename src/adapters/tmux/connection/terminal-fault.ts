/**
 * - `invalid`: the caller asked for something we refuse to hand to tmux.
 * - `unavailable`: tmux is missing, too old, or its server cannot be started.
 * - `failed`: tmux answered with an error, or in a way that breaks its protocol.
 * - `timeout`, `lost`: no answer came; what was asked may have happened or may still happen.
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

  /** True if the request may have been carried out, so the caller must check before repeating it. */
  get outcomeUnknown(): boolean {
    return this.kind === 'timeout' || this.kind === 'lost';
  }
}
