import { createHash, randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/**
 * A WebSocket client over a Unix socket. It supports only what the Codex app-server needs: text frames, ping and close.
 * Node 20 has no WebSocket, and the WebSocket of Node 22 cannot use a Unix socket.
 */
export interface TextSocket {
  send(text: string): void;
  close(): void;
}

export interface Listener {
  onText(text: string): void;
  onClose(): void;
}

const GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
/** The maximum size of a message. A larger message would be a whole conversation, which Baton never requests. */
const MAX_MESSAGE = 64 * 1024 * 1024;

/** Connects to the socket. Rejects if connecting takes longer than the given time. */
export function openTextSocket(path: string, listener: Listener, withinMs: number): Promise<TextSocket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const key = randomBytes(16).toString('base64');
    const fail = (error: Error): void => {
      socket.destroy();
      reject(error);
    };
    const timer = setTimeout(() => fail(new Error("codex's app server did not answer in time")), withinMs);
    socket.once('error', fail);
    socket.once('connect', () => socket.write(handshake(key)));
    let waiting = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      waiting = Buffer.concat([waiting, chunk]);
      const end = waiting.indexOf('\r\n\r\n');
      if (end === -1) return;
      clearTimeout(timer);
      socket.off('data', onData);
      socket.off('error', fail);
      if (isAccepted(waiting.toString('latin1', 0, end), key))
        resolve(speak(socket, listener, waiting.subarray(end + 4)));
      else fail(new Error("codex's app server refused the connection"));
    };
    socket.on('data', onData);
  });
}

const handshake = (key: string): string =>
  [
    'GET / HTTP/1.1',
    'Host: localhost',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${key}`,
    'Sec-WebSocket-Version: 13',
    '\r\n',
  ].join('\r\n');

function isAccepted(head: string, key: string): boolean {
  const expected = createHash('sha1')
    .update(key + GUID)
    .digest('base64');
  return /^HTTP\/1\.1 101 /.test(head) && head.includes(expected);
}

function speak(socket: Socket, listener: Listener, first: Buffer): TextSocket {
  const read = frameReader((opcode, payload) => {
    if (opcode === TEXT) listener.onText(payload.toString('utf8'));
    else if (opcode === PING) socket.write(frame(PONG, payload));
    else if (opcode === CLOSE) socket.destroy();
  });
  const onData = (chunk: Buffer): void => {
    if (!read(chunk)) socket.destroy();
  };
  socket.on('data', onData);
  socket.on('error', () => socket.destroy());
  socket.once('close', () => listener.onClose());
  // Do not let the socket keep the server process alive.
  socket.unref();
  if (first.length > 0) onData(first);
  return {
    send: (text) => void socket.write(frame(TEXT, Buffer.from(text))),
    close: () => void socket.destroy(),
  };
}

/** Returns a frame. A client must mask its frames. */
function frame(opcode: number, payload: Buffer): Buffer {
  const mask = randomBytes(4);
  const masked = Buffer.from(payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0)));
  return Buffer.concat([Buffer.from([0x80 | opcode]), lengthOf(payload.length), mask, masked]);
}

function lengthOf(length: number): Buffer {
  if (length < 126) return Buffer.from([0x80 | length]);
  const isLong = length > 0xffff;
  const head = Buffer.alloc(isLong ? 9 : 3);
  head[0] = 0x80 | (isLong ? 127 : 126);
  if (isLong) head.writeBigUInt64BE(BigInt(length), 1);
  else head.writeUInt16BE(length, 1);
  return head;
}

/**
 * Returns a function that takes bytes, calls `onMessage` for each whole message, and returns false if a message is too
 * large.
 */
function frameReader(onMessage: (opcode: number, payload: Buffer) => void): (chunk: Buffer) => boolean {
  let waiting = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let kind = TEXT;
  return (chunk) => {
    waiting = Buffer.concat([waiting, chunk]);
    for (;;) {
      const found = nextFrame(waiting);
      if (found === undefined) return waiting.length <= MAX_MESSAGE;
      waiting = waiting.subarray(found.end);
      if (found.opcode >= CLOSE) {
        onMessage(found.opcode, found.payload);
        continue;
      }
      if (found.opcode !== 0) kind = found.opcode;
      parts.push(found.payload);
      if (!found.isLast) continue;
      onMessage(kind, Buffer.concat(parts));
      parts = [];
    }
  };
}

function nextFrame(bytes: Buffer) {
  if (bytes.length < 2) return undefined;
  const [first = 0, second = 0] = bytes;
  const short = second & 0x7f;
  const headEnd = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < headEnd) return undefined;
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const end = headEnd + length;
  if (bytes.length < end) return undefined;
  return { isLast: (first & 0x80) !== 0, opcode: first & 0x0f, payload: bytes.subarray(headEnd, end), end };
}
