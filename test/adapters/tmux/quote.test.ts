import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ControlClient } from '../../../src/adapters/tmux/connection/control-client.ts';
import { quote } from '../../../src/adapters/tmux/connection/quote.ts';
import { createRig } from './rig.ts';

const rig = createRig();
let client: ControlClient;

beforeAll(async () => {
  client = (await rig.makeLink().open('start')) as ControlClient;
});

afterAll(async () => {
  await rig.stop();
});

async function roundTrip(text: string): Promise<Buffer> {
  const blocks = await client.request({ operation: 'test', target: '', line: `set-buffer -b t -- ${quote(text)}` });
  expect(blocks.some((block) => block.failed)).toBe(false);
  return execFileSync('tmux', ['-u', '-S', rig.socketPath, 'save-buffer', '-b', 't', '-'], { maxBuffer: 1 << 24 });
}

const hostile = [
  '\n',
  ';',
  ' ; ',
  '\\;',
  '#{pid}',
  '#{E:@x}',
  '$HOME',
  '~',
  '"',
  "'",
  '\\',
  '{',
  '}',
  '%1',
  '-R',
  '\t',
  '\r',
  '\x1b',
  '\x7f',
  '\u0085',
  'é',
  '漢',
  '😀',
  '#',
  '`',
  '--',
  ' ',
  'kill-server',
];

describe('[T8] the function quote()', () => {
  it('[F52] a quoted text passes through the parser of tmux unchanged', async () => {
    const canary = join(rig.dir, 'canary');
    const piece = fc.oneof(
      fc.constantFrom(...hostile, `#(touch ${canary})`, `$(touch ${canary})`),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    const texts = fc.array(piece, { minLength: 1, maxLength: 30 }).map((parts) => parts.join('').replaceAll('\0', ''));
    const sent = texts.filter((text) => text !== '' && !/\p{Cs}/u.test(text));
    await fc.assert(
      fc.asyncProperty(sent, async (text) => {
        expect((await roundTrip(text)).equals(Buffer.from(text))).toBe(true);
      }),
      { numRuns: 250 },
    );
    expect(existsSync(canary)).toBe(false);
  });

  it('texts of 64 KB and 1 MB pass through tmux unchanged if they are quoted', async () => {
    for (const size of [65_536, 1 << 20]) {
      const text = 'é;#{pid}\n"$HOME\\'.repeat(size).slice(0, size);
      expect((await roundTrip(text)).equals(Buffer.from(text))).toBe(true);
    }
  });

  it('quote() refuses a text that contains NUL', () => {
    expect(() => quote('a\0b')).toThrow('NUL');
  });
});
