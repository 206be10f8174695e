/** The part of the ustar format that backups use: only regular files with short names. */

export const BLOCK = 512;
const MAX_NAME = 100;
const MAX_PREFIX = 155;

export interface Entry {
  readonly path: string;
  readonly bytes: number;
}

export function headerOf({ path, bytes }: Entry): Buffer {
  const header = Buffer.alloc(BLOCK);
  const [prefix, name] = split(path);
  header.write(name, 0, MAX_NAME, 'utf8');
  const octal = (value: number, at: number, width: number) =>
    header.write(`${value.toString(8).padStart(width - 1, '0')}\0`, at, width, 'latin1');
  octal(0o600, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(bytes, 124, 12);
  octal(0, 136, 12);
  header.write('        ', 148, 8, 'latin1');
  header.write('0', 156, 1, 'latin1');
  header.write('ustar\0' + '00', 257, 8, 'latin1');
  header.write(prefix, 345, MAX_PREFIX, 'utf8');
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148, 8, 'latin1');
  return header;
}

export const paddingFor = (bytes: number): Buffer => Buffer.alloc((BLOCK - (bytes % BLOCK)) % BLOCK);
export const END = Buffer.alloc(2 * BLOCK);

function split(path: string): readonly [prefix: string, name: string] {
  if (Buffer.byteLength(path) <= MAX_NAME) return ['', path];
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(name) <= MAX_NAME && Buffer.byteLength(prefix) <= MAX_PREFIX) return [prefix, name];
  }
  throw new Error(`the path ${path} is too long for a backup`);
}

function sumOf(header: Buffer): number {
  let sum = 0;
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 0x20 : byte;
  return sum;
}

/**
 * Parses the header of one file in the archive. Returns undefined at the end of the archive. Throws if the entry is not
 * a plain file.
 */
export function readHeader(header: Buffer): Entry | undefined {
  if (header.every((byte) => byte === 0)) return undefined;
  const text = (from: number, length: number) =>
    header
      .subarray(from, from + length)
      .toString('utf8')
      .split('\0', 1)[0] ?? '';
  const number = (from: number, length: number) => Number.parseInt(text(from, length).trim(), 8);
  if (text(257, 5) !== 'ustar' || number(148, 8) !== sumOf(header))
    throw new Error('the file is not a backup, or is damaged');
  const [prefix, name] = [text(345, MAX_PREFIX), text(0, MAX_NAME)];
  const path = prefix === '' ? name : `${prefix}/${name}`;
  const kind = String.fromCharCode(header[156] ?? 0);
  if (kind !== '0')
    throw new Error(
      `the backup contains ${JSON.stringify(path)}, which is not a regular file but a link, folder or device`,
    );
  const bytes = number(124, 12);
  if (!Number.isSafeInteger(bytes) || bytes < 0)
    throw new Error(`the backup names a wrong size for ${JSON.stringify(path)}`);
  return { path, bytes };
}
