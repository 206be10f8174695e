import { createHash } from 'node:crypto';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const TAIL = 14;

/**
 * Returns a message id in opencode's own format: the time and fourteen letters. Because of the time, messages sort by
 * their ids. The letters depend only on `name`, so Baton can find a message by this name without knowing when it was
 * sent.
 */
export function newMessageId(name: string, nowMs: number = Date.now()): string {
  const time = (BigInt(nowMs) * 0x1000n + 1n) & 0xffff_ffff_ffffn;
  return `msg_${time.toString(16).padStart(12, '0')}${tailOf(name)}`;
}

export const isMessageNamed = (id: string, name: string): boolean => id.endsWith(tailOf(name));

const tailOf = (name: string): string =>
  [...createHash('sha256').update(name).digest().subarray(0, TAIL)]
    .map((byte) => LETTERS[byte % LETTERS.length])
    .join('');
