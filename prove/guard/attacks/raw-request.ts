import { connect } from 'node:net';

export interface RawAnswer {
  /** The HTTP status; 0 if the connection was closed without an answer. */
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/**
 * Sends exactly these bytes, because a client library would change them. If the server answers with an event stream,
 * closes the connection.
 */
export function sendRaw(port: number, text: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      if (/^HTTP\/1\.1 200[\s\S]*event-stream/.test(Buffer.concat(chunks).toString())) socket.end();
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // Ignore the error if the server closes the connection early. The server may refuse a request before it has read
      // the whole request.
      if (!['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) reject(error);
    });
    socket.on('close', () => {
      const [head = '', body = ''] = Buffer.concat(chunks).toString().split('\r\n\r\n', 2);
      resolve({ status: Number(/^HTTP\/1\.[01] (\d+)/.exec(head)?.[1] ?? 0), head, body });
    });
  });
}
