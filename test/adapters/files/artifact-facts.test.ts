import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { LOOK_BOUNDS, readArtifactFacts } from '../../../src/adapters/files/artifact-facts.ts';

let root = '';
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'baton-artifact-')));
  mkdirSync(join(root, 'docs/inner'), { recursive: true });
  writeFileSync(join(root, 'docs/api.md'), 'API\n');
  writeFileSync(join(root, 'docs/inner/empty'), '');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const look = (path: string, bounds = { ...LOOK_BOUNDS }) => readArtifactFacts(root, path, bounds);

it('the hash of a folder changes if any file below the folder changes', async () => {
  expect(await look('docs/api.md')).toEqual({
    kind: 'file',
    sha256: execFileSync('sha256sum', [join(root, 'docs/api.md')])
      .toString()
      .slice(0, 64),
    bytes: 4,
  });
  const before = await look('docs/');
  expect(before).toMatchObject({ kind: 'folder', bytes: 4, entries: 3 });
  expect(await look('./docs')).toEqual(before);
  writeFileSync(join(root, 'docs/inner/empty'), 'x');
  expect(await look('docs/')).not.toEqual(before);
});

it('[T11] Baton reads neither symbolic links nor paths outside the root folder as artifacts', async () => {
  symlinkSync('/etc', join(root, 'out'));
  symlinkSync('api.md', join(root, 'docs/same.md'));
  for (const path of ['out', 'out/passwd', 'docs/same.md', 'docs/']) expect(await look(path)).toEqual({ kind: 'link' });
  for (const path of ['../x', '/etc/passwd', 'docs/../../x', '', './', '.git/config', 'docs/.GIT/HEAD'])
    expect(await look(path)).toEqual({ kind: 'outside' });
  expect(await look('docs/none.md')).toEqual({ kind: 'missing' });
  expect(await look('docs/api.md/x')).toEqual({ kind: 'missing' });
});

it('Baton reports `not_a_folder` if the path of an artifact ends with "/" but is the path of a file', async () => {
  expect(await look('docs/api.md/')).toEqual({ kind: 'not_a_folder' });
});

it('[T11] a pipe without a writer does not block the reading of artifacts', async () => {
  execFileSync('mkfifo', [join(root, 'pipe')]);
  expect(await look('pipe')).toEqual({ kind: 'special' });
  expect(await look('docs/api.md', { bytes: 3, entries: 10 })).toEqual({ kind: 'too_large' });
  expect(await look('docs', { bytes: 100, entries: 2 })).toEqual({ kind: 'too_large' });
});
