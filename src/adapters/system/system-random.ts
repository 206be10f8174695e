import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Chance } from '../../app/ports/chance.ts';

const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789';

export const systemRandom: Chance = {
  uuid: () => randomUUID(),
  // 256 is not a multiple of 56, so some letters are slightly more frequent, but a token of 20 letters still cannot be
  // guessed.
  token: (length) => Array.from(randomBytes(length), (byte) => ALPHABET[byte % ALPHABET.length]).join(''),
  sha256: (text) => createHash('sha256').update(text).digest('hex'),
};
