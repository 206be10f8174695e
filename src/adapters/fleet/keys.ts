import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createUser, fromPublic, fromSeed, type KeyPair } from '@nats-io/nkeys';
import type { MachineKeys, Sealed } from '../../app/ports/fleet/fleet-link.ts';

/** The DER bytes before the 32 bytes of an Ed25519 key. */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/**
 * Returns the text to sign. The purpose is quoted, so that two different pairs of purpose and text never give the same
 * text to sign.
 */
const signed = (purpose: string, text: string): Buffer =>
  Buffer.from(`baton-fleet-1\n${JSON.stringify(purpose)}\n${text}`);

/** Creates the key pair of a machine and stores the seed in a file that only this user can read. */
export function createKeys(file: string): MachineKeys {
  const pair = createUser();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, pair.getSeed(), { mode: 0o600 });
  chmodSync(file, 0o600);
  return keysOf(pair);
}

export function readKeys(file: string): MachineKeys | undefined {
  const seed = readSeed(file);
  return seed && keysOf(fromSeed(seed));
}

export function readSeed(file: string): Uint8Array | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

export const removeKeys = (file: string): void => rmSync(file, { force: true });

/**
 * Signs with Node, because Node signs about fifty times faster than the JavaScript code of nkeys, and the signatures
 * are the same. nkeys is used only to encode seeds and public keys in the format that nats-server expects.
 */
function keysOf(pair: KeyPair): MachineKeys {
  const { getRawSeed } = pair as KeyPair & { getRawSeed(): Uint8Array };
  const raw = Buffer.from(getRawSeed.call(pair));
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, raw]), format: 'der', type: 'pkcs8' });
  return {
    publicKey: pair.getPublicKey(),
    sign: (purpose, text) => ({ text, signature: sign(null, signed(purpose, text), key).toString('base64url') }),
  };
}

const known = new Map<string, KeyObject>();

/** Returns whether the text was signed for this purpose with the secret key that belongs to this public key. */
export function isSignedBy(publicKey: string, purpose: string, { text, signature }: Sealed): boolean {
  if (!isPublicKey(publicKey)) return false;
  const key = known.get(publicKey) ?? publicKeyOf(publicKey);
  known.set(publicKey, key);
  return verify(null, signed(purpose, text), key, Buffer.from(signature, 'base64url'));
}

/** Returns whether the text is a machine's public key whose checksum is correct. */
export function isPublicKey(text: string): boolean {
  if (!/^U[A-Z2-7]{55}$/.test(text)) return false;
  try {
    fromPublic(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Decodes a public key. The first decoded byte is the kind of the key, the next 32 bytes are the key itself, and the
 * last two bytes are a checksum.
 */
function publicKeyOf(text: string): KeyObject {
  const raw = fromBase32(text).subarray(1, 33);
  return createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, raw]), format: 'der', type: 'spki' });
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const bytes = bits.join('').match(/.{8}/g) ?? [];
  return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
}
