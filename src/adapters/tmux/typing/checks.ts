import { TerminalFault } from '../connection/terminal-fault.ts';

/**
 * Maximum length of a socket path in bytes. The system allows 104 bytes on macOS and 108 on Linux, including the final
 * NUL that tmux adds.
 */
const MAX_SOCKET_BYTES = 100;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const DELIVERY_ID = /^[A-Za-z0-9_.:-]{1,128}$/;
const PANE_ID = /^%\d{1,9}$/;

function invalid(operation: string, target: string, message: string): TerminalFault {
  return new TerminalFault('invalid', operation, target, message);
}

export function checkSocketPath(path: string): void {
  const bytes = Buffer.byteLength(path);
  if (bytes > MAX_SOCKET_BYTES) {
    const message = `the socket path is ${bytes} bytes long, the limit is ${MAX_SOCKET_BYTES}: set BATON_HOME to a shorter path`;
    throw invalid('connect', path, message);
  }
  if (/[#\p{Cc}]/u.test(path)) {
    throw invalid('connect', path, 'the socket path contains "#" or a control character, which tmux would interpret');
  }
}

/**
 * Throws if the name contains a character that is not allowed. Names and tags are used inside tmux formats and targets,
 * where `#`, `:`, `.`, `,` and `}` have a special meaning.
 */
export function checkName(operation: string, what: string, name: string): void {
  if (!NAME.test(name)) throw invalid(operation, name, `the ${what} must match ${NAME.source}`);
}

export function checkDeliveryId(id: string): void {
  if (!DELIVERY_ID.test(id)) throw invalid('deliver', id, `the delivery id must match ${DELIVERY_ID.source}`);
}

export function checkPaneId(operation: string, id: string): void {
  if (!PANE_ID.test(id)) throw invalid(operation, id, 'the pane id must look like %12');
}
