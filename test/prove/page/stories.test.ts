import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { run } from '../../support/baton-process.ts';

/**
 * All job stories together took one and a half minutes on an idle machine, and more than five minutes on a busy
 * machine.
 */
const TIMEOUT_MS = 900_000;
const FOLDER = new URL('../../../scripts/walk/', import.meta.url);

it(
  "a script that knows only the words of the README and the guides completes the operator's job stories in a browser",
  async () => {
    const { stdout, stderr } = await run(process.execPath, ['scripts/walk/stories.mjs', '--json']);
    const { stories } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}');
    expect(Object.keys(stories).map((name) => name.slice(0, 1))).toEqual([
      'a',
      'b',
      'c',
      'd',
      'f',
      'h',
      'i',
      'j',
      'k',
      'l',
    ]);
    for (const [name, told] of Object.entries(stories))
      expect({ name, told }, stderr).toEqual({
        name,
        told: { passed: true, steps: expect.any(Number), seconds: expect.any(Number) },
      });
  },
  TIMEOUT_MS,
);

it('the scripts of the job stories use neither test ids nor CSS selectors', () => {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.mjs'));
  expect(files.length).toBeGreaterThan(8);
  for (const file of files)
    expect({ file, found: SELECTOR.exec(readFileSync(new URL(file, FOLDER), 'utf8'))?.[0] ?? null }).toEqual({
      file,
      found: null,
    });
});

const SELECTOR = /\.locator\(|getByTestId|querySelector|data-[a-z]+|\$\$?\(|xpath/i;
